import { parseAddress } from '../core/resource-address';
import { printable } from '../core/printable';
import { type Configuration } from '../project/read-configuration';
import { type ConfigFile } from '../tfconfig/config';
import { mergeEdits } from '../tfconfig/file-edit';
import { deriveFacts } from './facts/derive-facts';
import { type Facts, type OwnedZone, type PlannedZone, type StateFacts } from './facts/facts';
import { shareFiles } from './findings/block-findings';
import { findingsOf } from './findings/finding-table';
import { chooseOrder, refuse } from './steps/choose-order';
import { assignOwners, isEntryPointOf } from './facts/ruleset-address';
import {
  type Method,
  type Plan,
  type PlanZone,
  type Step,
  type StepDraft,
  withDigest,
} from './plan-schema';
import { versionsOf, zoneImportId } from './facts/provider-versions';
import { checkEach, checkWhole, writeSteps } from './steps/orders';
import { type PassedFlag, passFlags } from './steps/terraform-flags';

/**
 * Plans the steps that migrate all given states from legacy resources to the rulesets of the given zones. Pure: the
 * same input gives the same plan, byte for byte.
 *
 * @param selected the selected zones, including those whose ruleset needed no lookup
 * @param flags for the Terraform commands of the steps
 * @throws MigrationError `METHOD_UNSUITABLE` if the selected method does not work for a state, or its provider would be
 *   downgraded; `CONFIG_EDIT_REFUSED`, `ADDRESS_INVALID`
 * @example
 * planMigration([{ zoneId, rulesetId, address: 'cloudflare_ruleset.managed_rules' }], [state]);
 */
export function planMigration(
  zones: readonly PlannedZone[],
  states: readonly StateFacts[],
  method: Method = 'commands',
  selected: readonly string[] = zones.map(({ zoneId }) => zoneId),
  flags: readonly PassedFlag[] = [],
): Plan {
  const owned = assignOwners([...zones, ...importedZones(zones, states, selected)], states);
  const known = new Set(owned.map(({ zoneId }) => zoneId));
  const missing = selected.filter((zoneId) => !known.has(zoneId));
  const scope = { selected, owned, missing, method, isAlone: states.length === 1 };
  const all = deriveFacts(states, scope);
  const shown = all.filter(isShown);
  const facts = shown.length > 0 ? shown : all;
  const planned = facts.map(planState);
  return withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: owned.map(planZone),
    states: planned.map(({ state }) => state),
    steps: passFlags(
      orderStates(planned.toSorted((one, other) => turnOf(one) - turnOf(other))),
      flags,
    ),
    findings: [...findingsOf(facts), ...zones.flatMap(({ findings = [] }) => findings)],
  });
}

/** Whether a plan shows a state. An upgrade of CDKTF bindings concerns all stacks of the program. */
function isShown({ state, scope, isIdle, own, upgradeTo }: Facts): boolean {
  const { isFound, rulesets } = state;
  const hasRuleset = scope.owned.some(({ zoneId }) => rulesets.some(isEntryPointOf(zoneId)));
  return isFound !== true || !isIdle || own.length > 0 || hasRuleset || upgradeTo !== undefined;
}

/** The selected zones without a lookup, whose rulesets the states have. */
function importedZones(
  zones: readonly PlannedZone[],
  states: readonly StateFacts[],
  selected: readonly string[],
): PlannedZone[] {
  const rulesets = states.flatMap((state) => state.rulesets);
  return selected
    .filter((zoneId) => !zones.some((zone) => zone.zoneId === zoneId))
    .flatMap((zoneId) => {
      const ruleset = rulesets.find(isEntryPointOf(zoneId));
      if (ruleset?.id === undefined) return [];
      return { zoneId, rulesetId: ruleset.id, address: ruleset.address };
    });
}

function planZone({ zoneId, name, rulesetId, address, owner }: OwnedZone): PlanZone {
  const importId = zoneImportId(versionsOf(owner).to, zoneId, rulesetId);
  return {
    zoneId,
    ...(name === undefined ? {} : { name }),
    ruleset: { id: rulesetId, address, importId, state: owner.name },
  };
}

type Unnumbered = Omit<Step, 'id'>;
type PlannedSteps = ReturnType<typeof planState>;

function planState(facts: Facts) {
  const { state, from, to, method } = facts;
  const { name, dir, workspace, dataDir, lineage, serial, terraformVersion } = state;
  refuse(facts);
  // Terraform lists names that begin with a digit, but cannot remove them
  for (const address of facts.removed) parseAddress(address);
  const { order, because } = chooseOrder(facts);
  return {
    facts,
    phases: writeSteps(order, facts).map((steps) => ofState(facts, steps)),
    state: {
      name,
      dir,
      workspace,
      ...(dataDir === undefined ? {} : { dataDir }),
      lineage,
      serial,
      terraformVersion,
      provider: { from, to },
      method,
      because,
    },
  };
}

function ofState({ state }: Facts, steps: readonly StepDraft[]): Unnumbered[] {
  return steps.map((draft) => ({ ...draft, state: state.name }));
}

/**
 * Sorts a new state first and states that only remove last, so that a state always has the ruleset. What only changes
 * with the program, or imports its rulesets again, comes after all removals.
 */
function turnOf({ facts: { removedResources, entering, imports } }: PlannedSteps): number {
  if (removedResources.length + entering.length === 0) return 3;
  if (removedResources.length === 0) return 0;
  return imports.length > 0 ? 1 : 2;
}

/**
 * Merges the steps of all states into one list. States follow one another, unless they remove blocks from the same
 * files, as in a shared module. If no state has a step, the plan checks what it promises.
 */
function orderStates(planned: readonly PlannedSteps[]): Step[] {
  const sharing = planned.filter(({ facts }) =>
    planned.some((other) => other.facts !== facts && shareFiles(other.facts, facts)),
  );
  const changes = planned.flatMap((one) => {
    if (!sharing.includes(one)) return one.phases.flat();
    return one === sharing[0] ? interleaved(sharing) : [];
  });
  const steps = changes.length > 0 ? changes : planned.flatMap(({ facts }) => finalChecks(facts));
  return steps.map((step, index): Step => ({ id: String(index + 1), ...step }));
}

/** Checks each ruleset alone while other legacy resources are in the state. */
function finalChecks(facts: Facts): Unnumbered[] {
  const { checkedAlone, scope } = facts;
  const isEach = checkedAlone && (checkedAlone.length > 0 || !scope.isAlone);
  return ofState(facts, isEach ? checkEach(facts, checkedAlone) : checkWhole(facts));
}

type EditStep = Unnumbered & Required<Pick<Step, 'edits'>>;

/**
 * All states remove from state before one edit removes the blocks: otherwise the next apply would destroy resources
 * without a block. With method blocks, the edit comes before removals because it adds the `removed` blocks.
 */
function interleaved(planned: readonly PlannedSteps[]): Unnumbered[] {
  const edits = planned.flatMap(({ phases }) => phases.flat().filter(removesBlocks));
  const others = (phase: number): Unnumbered[] =>
    planned.flatMap(({ phases }) => phases[phase]?.filter((step) => !removesBlocks(step)) ?? []);
  return [...others(0), ...others(1), ...oneEdit(planned, edits), ...others(2)];
}

function removesBlocks(step: Unnumbered): step is EditStep {
  return step.edits?.some(({ remove }) => remove.length > 0) === true;
}

export function configFilesOf({ project }: Configuration): readonly ConfigFile[] {
  return [...project.modules.values()].flatMap(({ files }) => files);
}

function oneEdit(planned: readonly PlannedSteps[], steps: readonly EditStep[]): Unnumbered[] {
  const [first] = steps;
  if (first === undefined) return [];
  const names = planned.map(({ facts }) => facts.state.name);
  const configurations = planned.flatMap(({ facts }) => facts.configuration ?? []);
  const files = configurations.flatMap(configFilesOf);
  const places = new Map(configurations.flatMap(({ linkedFiles }) => [...(linkedFiles ?? [])]));
  const edits = steps.flatMap((step) => step.edits);
  return [
    {
      ...first,
      states: names,
      why: `${printable(names.join(' and '), 300)} share a module: once a block is removed, a plan of a state that still has its resource would destroy it`,
      edits: mergeEdits(edits, files, (file) => places.get(file) ?? file),
    },
  ];
}
