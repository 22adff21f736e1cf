import { forgottenAddresses } from '../blocks/find-blocks';
import { partsBefore, withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { type OwnedZone } from './assign-owners';
import { mayDeclare } from './may-declare';
import { type PlannedState } from './planned-state';

/**
 * The ruleset that a state owns, where its configuration no longer declares it, as after a revert in git of what took
 * it in: the next apply would destroy the live entry point.
 */
export function undeclaredRuleset(
  { configuration, pendingMoves = [] }: PlannedState,
  { imported, address }: OwnedZone,
): Finding[] {
  if (!imported || configuration === undefined) return [];
  if (mayDeclare(configuration, address)) return [];
  const block = withoutKeys(address);
  const leaving = [
    ...pendingMoves.map(({ from }) => withoutKeys(from)),
    ...forgottenAddresses(configuration.project),
  ];
  if (partsBefore(block).some((part) => leaving.includes(part))) return [];
  return [
    {
      code: 'ENTRY_POINT_NOT_DECLARED',
      severity: 'decision',
      subject: address,
      message:
        'the state holds this ruleset, and the files do not declare it: the next apply would destroy the live entry point, and the zone has no WAF then',
      remedy:
        'apply nothing in this folder before it is declared as it was: take the declaration back out of version control, or let `generate --source live` write it',
    },
  ];
}
