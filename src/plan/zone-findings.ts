import { type Finding } from '../model/finding';
import { type OldResource } from '../state/pick-old-resources';
import { isEntryPointOf, type OwnedZone } from './assign-owners';
import { type PlannedState } from './planned-state';

/** Legacy resources of zones that were not selected: they stay in the state, or the plan is blocked. */
export function otherZones(
  { name, oldResources, installed }: PlannedState,
  leaving: readonly OldResource[],
  selected: ReadonlySet<string>,
): Finding[] {
  const ofOthers = oldResources.filter(
    ({ zoneId, mode }) => mode === 'managed' && zoneId !== undefined && !selected.has(zoneId),
  );
  if (ofOthers.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { zoneId = '' } of ofOthers) counts.set(zoneId, (counts.get(zoneId) ?? 0) + 1);
  const list = [...counts].map(([zoneId, count]) => `${zoneId} (${count})`).join(', ');
  const remedy =
    'leave out --zone to plan all zones of the state, or pass --zone for each of these too';
  const removed = new Set(leaving);
  return ofOthers.some((one) => removed.has(one))
    ? [
        {
          code: 'OTHER_ZONES',
          severity: 'blocker',
          subject: name,
          message: `legacy resources of zones that were not selected would be removed from the state too: ${list}`,
          remedy:
            installed === undefined
              ? `pass --from with the installed provider version, or ${remedy}`
              : remedy,
        },
      ]
    : [
        {
          code: 'OTHER_ZONES',
          severity: 'decision',
          subject: name,
          message: `legacy resources of zones that were not selected stay in the state: ${list}`,
          remedy,
        },
      ];
}

/** @param leaving of a state that holds them: all that do not say their zone, or none of them */
export function withoutZone(
  { oldResources }: PlannedState,
  leaving: readonly OldResource[],
): Finding[] {
  const [what, remedy] =
    leaving.length > 0
      ? ['it leaves the state with the others', 'check that it belongs to a zone that was migrated']
      : [
          'it stays in the state',
          'where it belongs to a zone that was migrated, take it out with `terraform state rm`',
        ];
  return oldResources
    .filter(({ zoneId }) => zoneId === undefined)
    .map(({ address }) => ({
      code: 'RESOURCE_WITHOUT_ZONE',
      severity: 'decision',
      subject: address,
      message: `the state does not say which zone this old resource belongs to; ${what}`,
      remedy,
    }));
}

/**
 * Zones of which no given state holds anything, or is to: neither old resources nor the ruleset. Of
 * states that hold nothing old, and nothing of any zone, there is no zone to be missed in.
 */
export function zonesNotInStates(
  asked: readonly string[],
  owned: readonly OwnedZone[],
  states: readonly PlannedState[],
): Finding[] {
  const known = new Set(owned.map(({ zoneId }) => zoneId));
  const missed = asked
    .filter((zoneId) => !known.has(zoneId))
    .filter((zoneId) => !states.some(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId))));
  const isWithoutOld = states.every(({ oldResources }) => oldResources.length === 0);
  return isWithoutOld && missed.length === asked.length
    ? []
    : missed.map((zoneId) => ({
        code: 'ZONE_NOT_IN_STATE',
        severity: 'decision',
        subject: zoneId,
        message: 'no state holds an old resource of this zone, or its ruleset',
        remedy: 'check the zone id and that it is the right state and workspace',
      }));
}
