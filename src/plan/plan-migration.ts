import { withoutKeys, parseAddress } from '../core/resource-address';
import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { providerMajors } from '../core/provider-majors';
import { findBlocks } from '../tfconfig/find-blocks';
import { mergeEdits } from '../tfconfig/plan-edit';
import { isOutside, placeOf } from './edit-configuration';
import { departureOf, factsOf, keptBlocks, stepFactsOf } from './derive-facts';
import { type Facts, type OwnedZone, type PlannedZone, type StateFacts } from './facts';
import * as finding from './findings';
import { chooseOrder, refuse } from './order';
import { assignOwners } from './owners';
import {
  type Method,
  type Plan,
  type PlanState,
  type PlanZone,
  type Step,
  type StepDraft,
  withDigest,
} from './plan';
import { majorOf, versionsOf } from './provider-versions';
import { findingsOf, zonesNotInStates } from './report-facts';
import { checkEach, writeSteps } from './steps';

/**
 * Plans the steps that migrate all given states from legacy resources to the rulesets of the given zones. Pure: the
 * same input gives the same plan, byte for byte.
 *
 * @param asked the selected zones, including those whose ruleset needed no lookup. If empty, the plan only removes what
 *   stops `terraform plan`
 * @throws MigrationError `METHOD_UNSUITABLE` if the selected method does not work for a state, or its provider would be
 *   downgraded; `CONFIG_EDIT_REFUSED`, `ADDRESS_INVALID`
 * @example
 * planMigration([{ zoneId, rulesetId, address: 'cloudflare_ruleset.managed_rules' }], [state]);
 */
export function planMigration(
  zones: readonly PlannedZone[],
  states: readonly StateFacts[],
  method: Method | 'auto' = 'auto',
  asked: readonly string[] = zones.map(({ zoneId }) => zoneId),
): Plan {
  return withDigest(draftMigration(zones, states, method, asked));
}

/** As {@link planMigration}, for a plan whose steps still change. */
export function draftMigration(
  zones: readonly PlannedZone[],
  states: readonly StateFacts[],
  method: Method | 'auto',
  asked: readonly string[],
): Omit<Plan, 'digest'> {
  const names = new Map(states.flatMap(({ zoneNames }) => [...zoneNames]));
  const owned = assignOwners(
    zones.map((zone) => ({ ...zone, name: zone.name ?? names.get(zone.zoneId) })),
    states,
  );
  const scope = { asked, zones, owned, method, isAlone: states.length === 1 };
  const departures = states.map((state) => departureOf(state, scope));
  const kept = new Set(departures.flatMap(keptBlocks));
  const planned = departures.map((departure) => planState(factsOf(departure, scope, kept)));
  const notInStates = zonesNotInStates(scope, states);
  const isOfNone = notInStates.length === asked.length;
  const groups = groupByFiles(planned.toSorted((one, other) => turnOf(one) - turnOf(other)));
  return {
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: owned.map(planZone),
    states: planned.map(({ planned: state }) => state),
    steps: orderStates(groups),
    findings: [
      ...planned.flatMap(({ facts, steps, findings }) => [
        ...(facts.leaving.length > 0 || steps.length > 0 || isOfNone
          ? []
          : [finding.noLegacyResources(facts.state.name, facts)]),
        ...findings,
      ]),
      ...notInStates,
      ...sharedWithOthers(groups),
    ],
  };
}

function planZone({ zoneId, name, rulesetId, address, owner }: OwnedZone): PlanZone {
  const { importId } = providerMajors[majorOf(versionsOf(owner).to)];
  const id = importId(zoneId, rulesetId);
  return {
    zoneId,
    ...(name === undefined ? {} : { name }),
    ruleset: { id: rulesetId, address, importId: id, state: owner.name },
  };
}

interface PlannedSteps extends StateSteps {
  readonly facts: Facts;
  readonly planned: PlanState;
  readonly findings: readonly Finding[];
}

/** Sorts a new state first and states that only remove last, so that a state always has the ruleset. */
function turnOf({ facts, steps }: PlannedSteps): number {
  if (facts.leaving.length === 0) return 0;
  return steps.some(({ kind }) => kind === 'import') ? 1 : 2;
}

/** The steps and findings of one state: facts → order → steps. */
function planState(facts: Facts): PlannedSteps {
  const { state, from, to, method, rulesets, scope } = facts;
  const { name, dir, workspace, dataDir, lineage, serial, terraformVersion } = state;
  const written = stepFactsOf(facts);
  refuse(facts, written);
  // Terraform lists names that begin with a digit, but cannot remove them
  for (const address of written.leaving) parseAddress(address);
  const { order, because } = chooseOrder(facts);
  const steps = writeSteps(order, written);
  return {
    facts,
    state,
    steps,
    checks: checkEach(
      written,
      written.staying && (rulesets.length > 0 || !scope.isAlone) ? rulesets : undefined,
    ),
    planned: {
      ...{ name, dir, workspace, ...(dataDir === undefined ? {} : { dataDir }) },
      ...{ lineage, serial, terraformVersion, provider: { from, to }, method },
      because,
    },
    findings: findingsOf(facts, steps),
  };
}

/** A state with its ordered steps. */
interface StateSteps {
  readonly state: StateFacts;
  readonly steps: readonly StepDraft[];
  /** The steps if no state of the plan has one: checks, so that the plan verifies what it promises. */
  readonly checks: readonly StepDraft[];
}

/**
 * Merges the steps of all states into one list. States follow one another, unless they share files. Then all of them
 * remove from state before one edit removes the blocks. Otherwise the next apply would destroy resources without a
 * block.
 */
function orderStates(groups: readonly (readonly StateSteps[])[]): Step[] {
  const changes = groups.flatMap((group) =>
    group.length === 1 ? group.flatMap(stepsOf) : interleaved(group),
  );
  const steps =
    changes.length > 0
      ? changes
      : groups.flat().flatMap((part) => stepsOf({ ...part, steps: part.checks }));
  return steps.map((step, index): Step => ({ id: String(index + 1), ...step }));
}

type Unnumbered = Omit<Step, 'id'>;
type EditStep = Unnumbered & Required<Pick<Step, 'edits'>>;

function stepsOf({ state, steps }: StateSteps): Unnumbered[] {
  return steps.map((draft) => ({ ...draft, state: state.name }));
}

/** With method blocks, the edit comes before removals because it adds the `removed` blocks of all states. */
function interleaved(group: readonly StateSteps[]): Unnumbered[] {
  const phases = group.map((part) => phasesOf(stepsOf(part)));
  return [
    ...phases.flatMap(({ prepare }) => prepare),
    ...phases.flatMap(({ removals }) => removals),
    ...oneEdit(
      group,
      phases.flatMap(({ edits }) => edits),
    ),
    ...phases.flatMap(({ rest }) => rest),
  ];
}

interface Phases {
  /** Steps before the first removal from state or files. */
  readonly prepare: readonly Unnumbered[];
  readonly removals: readonly Unnumbered[];
  /** Steps that remove blocks from files. */
  readonly edits: readonly EditStep[];
  readonly rest: readonly Unnumbered[];
}

function phasesOf(all: readonly Unnumbered[]): Phases {
  const steps = all.filter((step) => !removesBlocks(step));
  const isRemoval = ({ kind }: StepDraft): boolean =>
    kind === 'remove-dry-run' || kind === 'apply-blocks';
  const first = steps.findIndex(isRemoval);
  const from = first === -1 ? steps.filter(({ kind }) => kind === 'backup').length : first;
  const to = Math.max(from, steps.findLastIndex(({ kind }) => kind === 'remove') + 1);
  return {
    prepare: steps.slice(0, from),
    removals: steps.slice(from, to),
    edits: all.filter(removesBlocks),
    rest: steps.slice(to),
  };
}

function removesBlocks(step: Unnumbered): step is EditStep {
  return step.edits?.some(({ remove }) => remove.length > 0) === true;
}

function oneEdit(group: readonly StateSteps[], steps: readonly EditStep[]): Unnumbered[] {
  const [first] = steps;
  if (first === undefined) return [];
  const names = group.map(({ state }) => state.name);
  const files = group.flatMap(({ state: { configuration } }) =>
    [...(configuration?.project.modules.values() ?? [])].flatMap((module) => module.files),
  );
  const edits = steps.flatMap((step) => step.edits);
  const places = new Map(
    group.flatMap(({ state }) => [...(state.configuration?.linkedFiles ?? [])]),
  );
  return [
    {
      ...first,
      states: names,
      why: `${printable(names.join(' and '), 300)} share a module: once a block is removed, a plan of a state that still has its resource would destroy it`,
      edits: mergeEdits(edits, files, (file) => places.get(file) ?? file),
    },
  ];
}

/** Groups states that remove blocks from the same files, as in a shared module. */
function groupByFiles<Part extends StateSteps>(parts: readonly Part[]): Part[][] {
  let groups: { members: Part[]; files: ReadonlySet<string> }[] = [];
  for (const part of parts) {
    const own = { members: [part], files: filesOf(part) };
    const joined = groups.filter(({ files }) => [...files].some((file) => own.files.has(file)));
    const all = [...joined, own];
    const group = {
      members: all.flatMap(({ members }) => members),
      files: new Set(all.flatMap(({ files }) => [...files])),
    };
    groups = [...groups, own].flatMap((one) =>
      one === all[0] ? [group] : all.includes(one) ? [] : [one],
    );
  }
  return groups.map(({ members }) => members);
}

/** Reports files outside the folder of a state, because the plan does not know who else calls their module. */
function sharedWithOthers(groups: readonly (readonly StateSteps[])[]): Finding[] {
  const alone = groups.filter(({ length }) => length === 1);
  return alone.flat().flatMap((part) => {
    const { name, configuration } = part.state;
    const root = placeOf(configuration ?? {}, configuration?.project.root ?? '.');
    const outside = [...filesOf(part)].filter((file) => isOutside(root, file));
    return outside.map((file) => finding.blockOfSeveralStates(file, { name }));
  });
}

function filesOf(part: StateSteps): ReadonlySet<string> {
  return new Set([...filesLeft(part), ...filesEdited(part)]);
}

/** Files with blocks of resources that are removed from the state. */
function filesLeft({ state: { configuration }, steps }: StateSteps): ReadonlySet<string> {
  if (configuration === undefined) return new Set();
  const leaving = steps.flatMap(({ expects }) => expects?.gone ?? []);
  const blocks = [...new Set(leaving.map(withoutKeys))].flatMap((address) =>
    findBlocks(configuration.project, address),
  );
  return new Set(blocks.map(({ file }) => placeOf(configuration, file.path)));
}

/** Files from which the steps remove blocks, even if the state has none of their resources. */
function filesEdited({ state, steps }: StateSteps): readonly string[] {
  return steps
    .flatMap(({ edits = [] }) => edits)
    .flatMap(({ file, remove }) =>
      remove.length > 0 ? placeOf(state.configuration ?? {}, file) : [],
    );
}
