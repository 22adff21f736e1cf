import { join } from 'node:path';
import { acceptFlag, posixQuote } from '../core/posix-quote';
import { withoutKeys } from '../core/resource-address';
import { type Expects, hasOnlyChecks, type Plan, plannedState } from '../plan/plan-schema';
import { type PlannedChange, type Verdict } from '../terraform/judge-plan';
import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { type AcceptedChange, type StepContext } from './apply-context';
import { errorCatalogue } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { groupBy, listed } from '../core/lists';
import { counted, printable } from '../core/printable';
import { withCommand } from '../plan/formats/render-command';
import { commandFromHere } from '../plan/formats/shown-plan';
import { declareAgain } from '../plan/steps/declare-live';
import { majorOf } from '../plan/facts/provider-versions';
import { NARROW_MODULE_CALL } from '../plan/findings/block-findings';
import { isStackFolder } from '../project/cdktf-project';
import { canBeEntryPoint, declaredRulesets, isOfOtherProvider } from '../project/declared-rulesets';
import { requireConfiguration } from '../project/read-configuration';
import { findBlocks } from '../tfconfig/find-blocks';

type Acceptable = Pick<PlannedChange, 'address' | 'isOutput' | 'actions'>;

/**
 * Separates accepted differences from the others. A user can accept an update in place or the new value of an output,
 * but no change of a ruleset of the plan or of a legacy resource. `moved` blocks and removed outputs need no flag.
 *
 * @param addresses that the user accepts
 * @param isAcceptable whether a difference can be accepted at all
 * @returns the remaining and the accepted differences
 */
export function acceptChanges(
  differences: readonly PlannedChange[],
  addresses: readonly string[],
  { zones }: Pick<Plan, 'zones'>,
  isAcceptable = isAcceptableInCheck,
): { readonly remaining: readonly PlannedChange[]; readonly accepted: readonly AcceptedChange[] } {
  const remaining: PlannedChange[] = [];
  const accepted: AcceptedChange[] = [];
  const rulesets = new Set(zones.map(({ ruleset }) => ruleset.address));
  for (const difference of differences) {
    const { address, isOutput } = difference;
    const action = difference.actions.join();
    const isMoved =
      action === 'move' && !isLegacyWafAddress(withoutKeys(address)) && !rulesets.has(address);
    if (isMoved || (isOutput && action === 'delete')) {
      accepted.push({ ...difference, by: [] });
    } else if (addresses.includes(address) && !rulesets.has(address) && isAcceptable(difference)) {
      accepted.push({ ...difference, by: [address] });
    } else remaining.push(difference);
  }
  return { remaining, accepted };
}

/** Also acceptable in a plan that is applied, because an output changes no resource. */
export function isOutputChange({ isOutput, actions }: Acceptable): boolean {
  return isOutput === true && ['create', 'update'].includes(actions.join());
}

function isAcceptableInCheck(change: Acceptable): boolean {
  const { address, actions } = change;
  return (
    isOutputChange(change) ||
    (/^(?:move,)?update$/.test(actions.join()) && !isLegacyWafAddress(withoutKeys(address)))
  );
}

/** Returns the imports and forgets that a step does not expect, such as those of another user's pending block. */
export function unexpected(
  { allowed }: Pick<Verdict, 'allowed'>,
  { gone = [], present = [] }: Expects = {},
): readonly PlannedChange[] {
  const expected = new Set([
    ...gone.map((address) => `forget ${address}`),
    ...present.map((address) => `import ${address}`),
  ]);
  return allowed.filter(
    ({ address, actions }) => !actions.every((action) => expected.has(`${action} ${address}`)),
  );
}

/** Returns how to accept changed outputs, and updates of other resources. */
export function howToAccept(differences: readonly Acceptable[]): string[] {
  const flagsOf = (those: readonly Acceptable[]): string =>
    addressesToAccept(those).map(acceptFlag).join(' ');
  const outputs = flagsOf(differences.filter(({ isOutput }) => isOutput));
  const others = flagsOf(differences.filter(({ isOutput }) => !isOutput));
  return [
    ...(outputs ? [`to accept the change of an output, pass ${outputs}`] : []),
    ...(others ? [`if your next terraform apply may update it, pass ${others}`] : []),
  ];
}

/** Returns the addresses of changed outputs, and of updates of other resources, which the user can accept. */
export function addressesToAccept(differences: readonly Acceptable[]): string[] {
  const acceptable = differences.filter(
    (one) =>
      one.isOutput ||
      (isAcceptableInCheck(one) && !withoutKeys(one.address).includes('cloudflare_ruleset.')),
  );
  return [...new Set(acceptable.map(({ address }) => address))];
}

/** The cause of `PLAN_NOT_EMPTY`, from which `cli` shows each difference. */
export class Differences extends Error {
  constructor(
    readonly changes: readonly PlannedChange[],
    /** Id of the step that found them. */
    readonly step?: string,
  ) {
    super(counted(changes.length, 'difference'));
  }
}

/**
 * Requires that Terraform plans only differences that the user accepted, and records these.
 * @param isAcceptable as in {@link acceptChanges}
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
export async function requireAccepted(
  differences: readonly PlannedChange[],
  context: Pick<StepContext, 'accept' | 'accepted'> & DifferenceContext,
  isAcceptable = isAcceptableInCheck,
): Promise<void> {
  const { accept, plan } = context;
  const { remaining, accepted } = acceptChanges(differences, accept, plan, isAcceptable);
  if (remaining.length > 0) {
    const shown = remaining.slice(0, 5).map(describeChange).join('; ');
    const more = remaining.length > 5 ? `; and ${remaining.length - 5} more` : '';
    const ways = [
      errorCatalogue.PLAN_NOT_EMPTY,
      ...howToAccept(remaining.filter(isAcceptable)),
      // only a command at the end of a line of a hint is printed on a separate line
      (await remediesOf(remaining, context)).join('\n'),
    ].filter(Boolean);
    throw new MigrationError(
      'PLAN_NOT_EMPTY',
      `Terraform would change something: ${shown}${more}`,
      { cause: new Differences(remaining, context.step?.id), hint: ways.join('; ') },
    );
  }
  context.accepted.push(...accepted);
}

/** A planned change in words: `a.b (update: ttl)`. */
export function describeChange({ address, actions, attributes }: PlannedChange): string {
  const more = attributes.length > 6 ? ` and ${attributes.length - 6} more` : '';
  const paths = `${attributes.slice(0, 6).join(', ')}${more}`;
  return printable(`${address} (${actions.join(' and ')}${paths === '' ? '' : `: ${paths}`})`, 300);
}

interface HowToDeclare {
  readonly remedy: string;
  readonly command: readonly string[];
  /** Whether the block is written for another provider version, so that an apply would send a part of it (measured). */
  readonly isForOther: boolean;
  /** The file of the block. */
  readonly file: string | undefined;
}

/** Where Terraform plans the differences; in a run of `apply` with its journal, and the step that found them. */
type DifferenceContext = Pick<StepContext, 'plan' | 'folder' | 'place'> &
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
    howToNarrow(others),
    howToMove(others, context),
    ...declared.map(({ remedy, command }) => withCommand(remedy, command)),
    (await howToImport(differences, context)) ?? howToApply(pending),
  ];
  return remedies.filter((one) => one !== undefined);
}

/** Returns what to edit where blocks still declare legacy resources that left the state; undefined if none does. */
function howToNarrow(differences: readonly PlannedChange[]): string | undefined {
  // names one instance of each block
  const created = groupBy(differences.filter(isLegacyCreated), ({ address }) =>
    withoutKeys(address),
  );
  if (created.size === 0) return undefined;
  const blocks = listed([...created.values()].map(([{ address }]) => printable(address, 200)));
  return `once its resources are removed from the state, remove the migrated zones from the count or for_each of ${blocks}, or the whole block if nothing else uses it; then run \`apply\` again. ${NARROW_MODULE_CALL}; otherwise roll back, and plan all zones of the module together`;
}

/** The legacy resources that Terraform would create, because a block of which the plan removes some declares them. */
export function stillDeclared(
  differences: readonly PlannedChange[],
  { steps }: Pick<Plan, 'steps'>,
): PlannedChange[] {
  const removed = new Set(steps.flatMap(({ expects }) => expects?.gone ?? []).map(withoutKeys));
  return differences.filter((one) => isLegacyCreated(one) && removed.has(withoutKeys(one.address)));
}

const isLegacyCreated = ({ address, actions }: PlannedChange): boolean =>
  actions.includes('create') && isLegacyWafAddress(withoutKeys(address));

/** Returns what to remove where the configuration of a state has rulesets that the plan has in another one. */
function howToMove(
  differences: readonly PlannedChange[],
  { plan, step }: DifferenceContext,
): string | undefined {
  if (step === undefined) return undefined;
  const moved = plan.zones.filter(
    ({ ruleset: { address, state } }) =>
      state !== step.state && differences.some((one) => one.address === address),
  );
  const dirOf = (state: string): string => printable(plannedState(plan, state).dir, 200);
  const ways = [...groupBy(moved, ({ ruleset }) => ruleset.state)].map(([state, zones]) => {
    const shown = listed(zones.map(({ ruleset }) => printable(ruleset.address, 200)));
    const them = zones.length === 1 ? 'it' : 'them';
    return `remove ${shown} from ${dirOf(step.state)}: the plan has ${them} in ${dirOf(state)}`;
  });
  return ways.length === 0 ? undefined : ways.join('; ');
}

/** Returns how to declare the live rules of each ruleset of the plan that differs in this state, of 20 at most. */
export async function howToDeclare(
  differences: readonly Pick<PlannedChange, 'address'>[],
  { plan, folder, place = '', step }: DifferenceContext,
): Promise<HowToDeclare[]> {
  const changed = new Set(differences.map(({ address }) => address));
  const zones = plan.zones.filter(
    ({ ruleset: { address, state } }) =>
      (step === undefined || step.state === state) && changed.has(address),
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

/**
 * Returns how to import a ruleset that Terraform would create, or import a second time, if it can be the entry point of a
 * zone; otherwise undefined.
 */
async function howToImport(
  differences: readonly PlannedChange[],
  { plan, folder, journal }: DifferenceContext,
): Promise<string | undefined> {
  const { zones, states } = plan;
  const created = differences.filter(
    ({ address, actions }) =>
      actions.some((action) => action === 'create' || action === 'import') &&
      /(^|\.)cloudflare_ruleset\.[\w-]+$/.test(withoutKeys(address)) &&
      !zones.some(({ ruleset }) => ruleset.address === address),
  );
  if (created.length === 0) return undefined;
  const read = await Promise.all(states.map(({ dir }) => requireConfiguration(dir, folder)));
  const declared = read.flatMap((one) => (one === undefined ? [] : declaredRulesets(one)));
  const found = created.flatMap(({ address, importId = '' }) => {
    const blocks = declared.filter((one) => one.address === withoutKeys(address));
    // another instance of the block is of another zone
    const candidates = zones.filter(
      ({ zoneId, ruleset }) =>
        withoutKeys(ruleset.address) !== withoutKeys(address) &&
        blocks.every((one) => canBeEntryPoint(one, zoneId)),
    );
    const ids = new Set(candidates.map(({ ruleset }) => ruleset.importId));
    if (ids.size === 0) return [];
    const isKnown = ids.has(importId);
    return { address: printable(address, 200), ids: isKnown ? [importId] : [...ids], isKnown };
  });
  const [one] = found;
  if (one === undefined) return undefined;
  const known = found.filter(({ isKnown }) => isKnown);
  const shown = known.length === 0 ? [one] : known.slice(0, 20);
  const commands = shown.flatMap(({ address, ids }) =>
    ids.map((id) => `terraform import ${posixQuote(address)} ${id}`),
  );
  const which =
    commands.length === shown.length ? '' : ', with the one of these commands that is for its zone';
  // after the import, a rollback would refuse the state
  const first = journal === undefined || hasOnlyChecks(plan) ? '' : 'roll back, ';
  const [are, it] =
    shown.length === 1 ? ['is the ruleset of a zone', 'it'] : ['are rulesets of zones', 'them'];
  const all = listed(shown.map(({ address }) => address));
  const how = `if ${all} ${are} of the plan, ${first}import ${it} there${which}, then plan again:`;
  return [how, ...commands].join('\n');
}

/** Returns how to apply the blocks of other resources; undefined if there are none. */
function howToApply(pending: readonly PlannedChange[]): string | undefined {
  if (pending.length === 0) return undefined;
  const targets = pending.map(({ address }) => posixQuote(`-target=${address}`));
  return `another block is pending: apply it first with \`terraform apply ${printable(targets.join(' '))}\`, or remove it until this is done`;
}
