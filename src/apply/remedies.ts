import { join } from 'node:path';
import { groupBy, listed } from '../core/lists';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { isRulesetAddress, withoutKeys } from '../core/resource-address';
import { majorOf } from '../plan/facts/provider-versions';
import { noteOnCalls } from '../plan/findings/block-findings';
import { terraformIn, withCommand } from '../plan/formats/render-command';
import { commandFromHere } from '../plan/formats/shown-plan';
import { goneFrom, hasOnlyChecks, type Plan, plannedState } from '../plan/plan-schema';
import { declareAgain, planUpgrade } from '../plan/steps/declare-live';
import { isStackFolder } from '../project/cdktf-project';
import {
  canBeEntryPoint,
  declaredRulesets,
  isOfOtherProvider,
  laterMajor,
} from '../project/declared-rulesets';
import { requireConfiguration } from '../project/read-configuration';
import { type PlannedChange } from '../terraform/judge-plan';
import { findBlocks } from '../tfconfig/find-blocks';
import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { type StepContext } from './apply-context';

/** Where differences were found. `verify` has no step. */
type FoundContext = Pick<StepContext, 'plan' | 'folder' | 'place'> &
  Partial<Pick<StepContext, 'step'>>;

/** The step that found the differences; in a run of `apply` with its journal. */
export type DifferenceContext = FoundContext &
  Pick<StepContext, 'step'> &
  Partial<Pick<StepContext, 'journal'>>;

/** What to do about differences, other than to accept them. Commands come last. */
export async function remediesOf(
  differences: readonly PlannedChange[],
  context: DifferenceContext,
): Promise<string[]> {
  const pending = differences.filter(({ actions }) => /^(import|forget)$/.test(actions.join()));
  const others = differences.filter((one) => !pending.includes(one));
  const declared = await howToDeclare(others, context);
  const toImport = await howToImport(others, context);
  const remedies = [
    howToKeep(others, context),
    howToNarrow(others),
    howToPostpone(others, toImport === undefined ? ['update', 'create'] : ['update'], context),
    howToApply(pending),
    ...declared.map(({ remedy, command }) => withCommand(remedy, command)),
    toImport,
  ];
  return remedies.filter((one) => one !== undefined);
}

/** Returns how to keep legacy resources that the plan does not have, and no block; undefined if there are none. */
function howToKeep(
  differences: readonly PlannedChange[],
  { plan: { steps } }: DifferenceContext,
): string | undefined {
  const planned = new Set(goneFrom(steps));
  const destroyed = differences.filter(
    ({ address, actions }) =>
      actions.join() === 'delete' && isLegacyWafAddress(address) && !planned.has(address),
  );
  if (destroyed.length === 0) return undefined;
  const addresses = listed(destroyed.map(({ address }) => printable(address, 200)));
  return `do not run \`terraform apply\`, which would destroy ${addresses}: restore each block, or plan its zone too, if it has migrated`;
}

/** Returns what to edit where blocks still declare legacy resources that left the state; undefined if none does. */
function howToNarrow(differences: readonly PlannedChange[]): string | undefined {
  // names one instance of each block
  const created = groupBy(differences.filter(isLegacyCreated), ({ address }) =>
    withoutKeys(address),
  );
  if (created.size === 0) return undefined;
  const addresses = [...created.values()].map(([{ address }]) => printable(address, 200));
  return `when these resources have left the state, remove the migrated zones from the count or for_each of ${listed(addresses)}, or the whole block if nothing else uses it, and run \`apply\` again${noteOnCalls(addresses)}`;
}

/** The legacy resources that Terraform would create, because a block of which the plan removes some declares them. */
export function stillDeclared(
  differences: readonly PlannedChange[],
  { steps }: Pick<Plan, 'steps'>,
): PlannedChange[] {
  const removed = new Set(goneFrom(steps).map(withoutKeys));
  return differences.filter((one) => isLegacyCreated(one) && removed.has(withoutKeys(one.address)));
}

const isLegacyCreated = ({ address, actions }: PlannedChange): boolean =>
  actions.includes('create') && isLegacyWafAddress(address);

/**
 * Returns how to declare the live rules of each ruleset of the plan that differs in this state, of 20 at most.
 * `isForOther`: its block is written for another provider version, so that an apply would send a part of it (measured).
 */
export async function howToDeclare(
  differences: readonly (Pick<PlannedChange, 'address'> & { readonly state?: string })[],
  { plan, folder, place = '', step }: FoundContext,
) {
  const zones = plan.zones.filter(({ ruleset }) =>
    differences.some(
      // a plan of Terraform names no state
      ({ address, state = '' }) =>
        address === ruleset.address && (state || (step?.state ?? ruleset.state)) === ruleset.state,
    ),
  );
  const states = [...groupBy(zones.slice(0, 20), ({ ruleset }) => ruleset.state)];
  const ways = states.map(async ([state, own]) => {
    const { dir, provider } = plannedState(plan, state);
    const configuration = await requireConfiguration(dir, folder);
    const where = { dir, isSynthesised: isStackFolder(join(folder, dir)), configuration };
    const major = majorOf(provider.to);
    const declared = configuration ? declaredRulesets(configuration) : [];
    return own.map(({ ruleset: { address }, zoneId }) => {
      const shown = printable(address, 200);
      const zone = { zoneId, address };
      const ofOther = declared.find(
        (one) => one.address === withoutKeys(address) && isOfOtherProvider(one, major),
      );
      const isForOther = ofOther !== undefined;
      const later = ofOther && laterMajor(ofOther, major);
      const how = later
        ? {
            remedy: `plan the upgrade, or write it for provider ${major} again`,
            command: planUpgrade(where, later),
          }
        : declareAgain(where, zone, '--provider', String(major));
      const when = isForOther
        ? `${shown} is written for another provider version than ${major}: before you apply anything`
        : `if ${shown} has to declare the live rules`;
      const [block] = configuration ? findBlocks(configuration.project, withoutKeys(address)) : [];
      const command = commandFromHere(place, how.command);
      return { remedy: `${when}, ${how.remedy}`, command, isForOther, file: block?.file.path };
    });
  });
  return (await Promise.all(ways)).flat();
}

/** Returns how to import a ruleset that Terraform would create at another address than the plan; undefined if there is none. */
async function howToImport(
  differences: readonly PlannedChange[],
  { plan, folder, place = '', step, journal }: DifferenceContext,
): Promise<string | undefined> {
  const created = differences.filter(
    ({ address, actions }) =>
      actions.includes('create') &&
      isRulesetAddress(address) &&
      !plan.zones.some(({ ruleset }) => ruleset.address === address),
  );
  if (created.length === 0) return undefined;
  const { dir } = plannedState(plan, step.state);
  const configuration = await requireConfiguration(dir, folder);
  const declared = configuration ? declaredRulesets(configuration) : [];
  for (const { address } of created) {
    const blocks = declared.filter((one) => one.address === withoutKeys(address));
    // another instance of the block is of another zone
    const zones = plan.zones.filter(
      ({ zoneId, ruleset }) =>
        withoutKeys(ruleset.address) !== withoutKeys(address) &&
        blocks.every((one) => canBeEntryPoint(one, zoneId)),
    );
    if (zones.length === 0) continue;
    const commands = zones
      .slice(0, 20)
      .map(({ ruleset: { importId } }) =>
        terraformIn(join(place, dir), `import ${posixQuote(address)} ${importId}`),
      );
    const which = commands.length === 1 ? '' : ', with the command of its zone';
    // after the import, a rollback would refuse the state
    const first = journal === undefined || hasOnlyChecks(plan) ? '' : 'roll back, ';
    const how = `if ${printable(address, 200)} is the ruleset of a zone of the plan, ${first}import it there${which}, then plan again:`;
    return [how, ...commands].join('\n');
  }
  return undefined;
}

/** Returns what to do with changes of rulesets that the plan does not have; undefined if there are none. */
function howToPostpone(
  differences: readonly PlannedChange[],
  possible: readonly string[],
  { plan: { zones } }: DifferenceContext,
): string | undefined {
  const planned = new Set(zones.map(({ ruleset }) => ruleset.address));
  const others = differences.filter(
    ({ address, actions }) =>
      possible.includes(actions.join()) && isRulesetAddress(address) && !planned.has(address),
  );
  if (others.length === 0) return undefined;
  const shown = listed(others.map(({ address }) => printable(address, 200)));
  return `if a change of ${shown} is in the files and not applied yet, remove it from them until \`apply\` is done`;
}

/** Returns how to apply the blocks of other resources; undefined if there are none. */
function howToApply(pending: readonly PlannedChange[]): string | undefined {
  if (pending.length === 0) return undefined;
  const targets = pending.map(({ address }) => posixQuote(`-target=${address}`));
  return `another block is pending: apply it first with \`terraform apply ${printable(targets.join(' '))}\`, or remove it until this is done`;
}
