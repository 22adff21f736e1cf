import { acceptFlag } from '../core/posix-quote';
import { withoutKeys } from '../core/resource-address';
import { type Expects, type Plan } from '../plan/plan-schema';
import { type PlannedChange, type Verdict } from '../terraform/judge-plan';
import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { type AcceptedChange } from './apply-context';

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

export function isAcceptableInCheck(change: Acceptable): boolean {
  const { address, actions } = change;
  return (
    isOutputChange(change) ||
    (actions.join() === 'update' && !isLegacyWafAddress(withoutKeys(address)))
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
  const { outputs, others } = flagsForChanges(differences);
  return [
    ...(outputs.length === 0
      ? []
      : [`to accept the change of an output, pass ${outputs.join(' ')}`]),
    ...(others.length === 0
      ? []
      : [`if your next terraform apply may update it, pass ${others.join(' ')}`]),
  ];
}

/** Returns the flags that accept changed outputs, and updates of other resources. */
export function flagsForChanges(differences: readonly Acceptable[]) {
  const flagsOf = (those: readonly Acceptable[]): string[] => [
    ...new Set(those.map(({ address }) => acceptFlag(address))),
  ];
  const outputs = differences.filter(({ isOutput }) => isOutput);
  const others = differences.filter(
    (one) =>
      !outputs.includes(one) &&
      isAcceptableInCheck(one) &&
      !withoutKeys(one.address).includes('cloudflare_ruleset.'),
  );
  return { outputs: flagsOf(outputs), others: flagsOf(others) };
}
