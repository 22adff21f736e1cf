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
import { declareAgain } from '../plan/steps/declare-live';
import { isStackFolder } from '../project/cdktf-project';
import { canBeEntryPoint, declaredRulesets, isOfOtherProvider } from '../project/declared-rulesets';
import { requireConfiguration } from '../project/read-configuration';
import { type PlannedChange } from '../terraform/judge-plan';
import { findBlocks } from '../tfconfig/find-blocks';
import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { type StepContext } from './apply-context';

/** Where Terraform plans the differences; in a run of `apply` with its journal, and the step that found them. */
export type DifferenceContext = Pick<StepContext, 'plan' | 'folder' | 'place'> &
  Partial<Pick<StepContext, 'step' | 'journal'>>;

/** What to do about differences, other than to accept them. Commands come last. */
export async function remediesOf(
  differences: readonly PlannedChange[],
  context: DifferenceContext,
): Promise<string[]> {
  const pending = differences.filter(({ actions }) => /^(import|forget)$/.test(actions.join()));
  const others = differences.filter((one) => !pending.includes(one));
  const declared = await howToDeclare(others, context);
  const remedies = [
    howToKeep(others, context),
    howToNarrow(others),
    howToMove(others, context),
    ...declared.map(({ remedy, command }) => withCommand(remedy, command)),
    (await howToImport(differences, context)) ?? howToApply(pending),
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
  return `when its resources have left the state, remove the migrated zones from the count or for_each of ${listed(addresses)}, or the whole block if nothing else uses it, and run \`apply\` again${noteOnCalls(addresses)}`;
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

/** Returns what to remove where the configuration of a state has rulesets that the plan has in another one. */
function howToMove(
  differences: readonly PlannedChange[],
  { plan, step }: DifferenceContext,
): string | undefined {
  if (step === undefined) return undefined;
  const own = plan.zones.filter(({ ruleset }) => ruleset.state === step.state);
  // two stacks of one class have the same addresses
  const moved = plan.zones.filter(
    ({ ruleset: { address, state } }) =>
      state !== step.state &&
      differences.some((one) => one.address === address) &&
      !own.some(({ ruleset }) => ruleset.address === address),
  );
  const dirOf = (state: string): string => printable(plannedState(plan, state).dir, 200);
  const ways = [...groupBy(moved, ({ ruleset }) => ruleset.state)].map(([state, zones]) => {
    const shown = listed(zones.map(({ ruleset }) => printable(ruleset.address, 200)));
    const them = zones.length === 1 ? 'it' : 'them';
    return `remove ${shown} from ${dirOf(step.state)}: the plan has ${them} in ${dirOf(state)}`;
  });
  return ways.length === 0 ? undefined : ways.join('; ');
}

/**
 * Returns how to declare the live rules of each ruleset of the plan that differs in this state, of 20 at most.
 * `isForOther`: its block is written for another provider version, so that an apply would send a part of it (measured).
 */
export async function howToDeclare(
  differences: readonly (Pick<PlannedChange, 'address'> & { readonly state?: string })[],
  { plan, folder, place = '', step }: DifferenceContext,
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
      const how = declareAgain(where, zone, '--provider', String(major));
      const isForOther = declared.some(
        (one) => one.address === withoutKeys(address) && isOfOtherProvider(one, major),
      );
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

/** Returns how to import rulesets that Terraform would create, or import a second time; undefined if there are none. */
async function howToImport(
  differences: readonly PlannedChange[],
  context: DifferenceContext,
): Promise<string | undefined> {
  const found = await findImportable(differences, context);
  const known = found.filter(({ isKnown }) => isKnown);
  const shown = known.length > 0 ? known.slice(0, 20) : found.slice(0, 1);
  if (shown.length === 0) return undefined;
  const commands = shown.flatMap(({ address, dir, ids }) =>
    ids.map((id) =>
      terraformIn(join(context.place ?? '', dir), `import ${posixQuote(address)} ${id}`),
    ),
  );
  const which =
    commands.length === shown.length ? '' : ', with the one of these commands that is for its zone';
  // after the import, a rollback would refuse the state
  const isToUndo = context.journal !== undefined && !hasOnlyChecks(context.plan);
  const first = isToUndo ? 'roll back, ' : '';
  const [are, it] =
    shown.length === 1 ? ['is the ruleset of a zone', 'it'] : ['are rulesets of zones', 'them'];
  const all = listed(shown.map(({ address }) => address));
  const how = `if ${all} ${are} of the plan, ${first}import ${it} there${which}, then plan again:`;
  return [how, ...commands].join('\n');
}

/**
 * Finds the rulesets that Terraform would create, or import at another address than the plan.
 * @returns with the import ids of the zones whose entry point each can be; only that of the import, if it is of one of them
 */
async function findImportable(
  differences: readonly PlannedChange[],
  { plan: { zones, states }, folder, step }: DifferenceContext,
) {
  const created = differences.filter(
    ({ address, actions }) =>
      actions.some((action) => action === 'create' || action === 'import') &&
      isRulesetAddress(address) &&
      !zones.some(({ ruleset }) => ruleset.address === address),
  );
  if (created.length === 0) return [];
  const concerned = states.filter(({ name }) => step === undefined || name === step.state);
  const read = await Promise.all(concerned.map(({ dir }) => requireConfiguration(dir, folder)));
  const declared = concerned.flatMap(({ dir }, at) => {
    const configuration = read[at];
    const own = configuration === undefined ? [] : declaredRulesets(configuration);
    return own.map((one) => ({ ...one, dir }));
  });
  return created.flatMap(({ address, importId = '' }) => {
    const blocks = declared.filter((one) => one.address === withoutKeys(address));
    const dir = blocks[0]?.dir ?? concerned[0]?.dir ?? '.';
    // another instance of the block is of another zone
    const candidates = zones.filter(
      ({ zoneId, ruleset }) =>
        withoutKeys(ruleset.address) !== withoutKeys(address) &&
        blocks.every((one) => canBeEntryPoint(one, zoneId)),
    );
    const ids = new Set(candidates.map(({ ruleset }) => ruleset.importId));
    if (ids.size === 0) return [];
    const isKnown = ids.has(importId);
    return { address: printable(address, 200), dir, ids: isKnown ? [importId] : [...ids], isKnown };
  });
}

/** Returns how to apply the blocks of other resources; undefined if there are none. */
function howToApply(pending: readonly PlannedChange[]): string | undefined {
  if (pending.length === 0) return undefined;
  const targets = pending.map(({ address }) => posixQuote(`-target=${address}`));
  return `another block is pending: apply it first with \`terraform apply ${printable(targets.join(' '))}\`, or remove it until this is done`;
}
