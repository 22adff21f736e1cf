import { acceptFlag } from '../core/posix-quote';
import { isOfType, isRulesetAddress } from '../core/resource-address';
import { type Expects, type Plan } from '../plan/plan-schema';
import { type PlannedChange, type Verdict } from '../terraform/judge-plan';
import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { type AcceptedChange, type StepContext } from './apply-context';
import { errorCatalogue } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { counted, printable } from '../core/printable';
import { type DifferenceContext, remediesOf } from './remedies';

type Acceptable = Pick<PlannedChange, 'address' | 'isOutput' | 'actions'>;

/**
 * Separates accepted differences from the others. `moved` blocks and removed outputs need no flag. With a flag, a user
 * can accept changes of outputs and of other resources, but no deletion. Of zones and other rulesets, only an update can be
 * accepted; of legacy resources and the rulesets of the plan, nothing.
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
    const isMoved = action === 'move' && !isLegacyWafAddress(address) && !rulesets.has(address);
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
  const { address, isOutput, actions } = change;
  if (isOutput === true) return isOutputChange(change);
  if (isLegacyWafAddress(address)) return false;
  const action = actions.join().replace(/^move,/, '');
  return (
    action === 'update' ||
    (NEW_OR_REPLACED.includes(action) &&
      !isRulesetAddress(address) &&
      !isOfType(address, 'cloudflare_zone'))
  );
}

/** A resource that waits for its first apply, or that each plan replaces. */
const NEW_OR_REPLACED = ['create', 'delete,create', 'create,delete'];

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

/** Returns how to accept changed outputs, and changes of other resources. */
export function howToAccept(differences: readonly Acceptable[]): string[] {
  const flagsOf = (those: readonly Acceptable[]): string =>
    addressesToAccept(those).map(acceptFlag).join(' ');
  const outputs = flagsOf(differences.filter(({ isOutput }) => isOutput));
  const others = flagsOf(differences.filter(({ isOutput }) => !isOutput));
  return [
    ...(outputs ? [`to accept the change of an output, pass ${outputs}`] : []),
    ...(others ? [`if your next terraform apply may make these changes, pass ${others}`] : []),
  ];
}

/** Returns the addresses of changed outputs, and of other resources, whose changes the user can accept. */
export function addressesToAccept(differences: readonly Acceptable[]): string[] {
  const acceptable = differences.filter(
    (one) => one.isOutput || (isAcceptableInCheck(one) && !isRulesetAddress(one.address)),
  );
  return [...new Set(acceptable.map(({ address }) => address))];
}

/** The cause of `PLAN_NOT_EMPTY`, from which `cli` shows each difference. */
export class Differences extends Error {
  constructor(
    readonly changes: readonly PlannedChange[],
    /** Id of the step that found them. */
    readonly step: string,
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
      { cause: new Differences(remaining, context.step.id), hint: ways.join('; ') },
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
