import { assignOwners } from '../../src/plan/facts';
import { otherZones, zonesNotInStates } from '../../src/plan/report-facts';
import { oldResource, OTHER_ZONE, plannedState, ZONE, zone } from './support/planned-states';

const third = '3'.repeat(32);
const state = plannedState({
  oldResources: [third, OTHER_ZONE, OTHER_ZONE, ZONE].map((zoneId, at) =>
    oldResource(`cloudflare_waf_rule.r${at}`, { zoneId }),
  ),
});

it('other zones are named one after the other', () => {
  const [finding] = otherZones(state, [], new Set([ZONE]));
  expect(finding!.message).toContain(`stay in the state: ${third} (1), ${OTHER_ZONE} (2)`);
});

it('a zone is missed where no state holds anything of it, or is to', () => {
  const lost = '9'.repeat(32);
  const phase = 'http_request_firewall_managed';
  const moved = plannedState({ rulesets: [{ address: 'a', zoneId: ZONE, id: 'r', phase }] });
  const missed = (one: typeof state, owned = assignOwners([zone], [one])) =>
    zonesNotInStates([ZONE, lost], owned, [one]).map(({ subject }) => subject);
  const empty = plannedState({ oldResources: [] });
  expect(missed(state)).toEqual([lost]);
  expect(missed(empty, [])).toEqual([]);
  expect(missed(moved, [])).toEqual([lost]);
});

it('a zone is missed where one of several states holds old resources of other zones', () => {
  const empty = plannedState({ name: 'empty', oldResources: [] });
  const missed = (states: (typeof state)[]) =>
    zonesNotInStates(['9'.repeat(32)], [], states).length;
  expect(missed([empty, state])).toBe(1);
  expect(missed([empty, empty])).toBe(0);
});
