import { otherZones, zonesWithoutOldResources } from '../../src/plan/plan-findings';
import { oldResource, OTHER_ZONE, plannedState, ZONE, zone } from './support/planned-states';

const third = '3'.repeat(32);
const state = plannedState({
  oldResources: [third, OTHER_ZONE, OTHER_ZONE, ZONE].map((zoneId, at) =>
    oldResource(`cloudflare_waf_rule.r${at}`, { zoneId }),
  ),
});

it('other zones are named one after the other', () => {
  const [finding] = otherZones(state, [], new Set([ZONE]));
  expect(finding!.message).toMatch(`stay in the state: ${third} (1), ${OTHER_ZONE} (2)`);
});

it('a zone is missed in all states together, and in none where nothing old is', () => {
  const lost = { ...zone, zoneId: '9'.repeat(32) };
  const empty = plannedState({ oldResources: [] });
  const missed = (...states: (typeof state)[]) =>
    zonesWithoutOldResources([zone, lost], states).map(({ subject }) => subject);
  expect(missed(state, empty)).toEqual([lost.zoneId]);
  expect(missed(empty)).toEqual([]);
});
