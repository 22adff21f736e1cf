import { planMigration } from '../../src/plan/plan-migration';
import { legacyResource, OTHER_ZONE, stateFacts, ZONE, zone } from './support/state-facts';

const third = '3'.repeat(32);
const state = stateFacts({
  legacyResources: [third, OTHER_ZONE, OTHER_ZONE, ZONE].map((zoneId, at) =>
    legacyResource(`cloudflare_waf_rule.r${at}`, { zoneId }),
  ),
});

it('other zones are named one after the other', () => {
  const { findings } = planMigration([zone], [state]);
  const finding = findings.find(({ code }) => code === 'OTHER_ZONES');
  expect(finding!.message).toContain(`not selected: ${third} (1), ${OTHER_ZONE} (2)`);
});

it('a zone is missed where no state holds anything of it, or is to', () => {
  const lost = '9'.repeat(32);
  const phase = 'http_request_firewall_managed';
  const moved = stateFacts({ rulesets: [{ address: 'a', zoneId: ZONE, id: 'r', phase }] });
  const missed = (one: typeof state, zones = [zone]) =>
    planMigration(zones, [one], 'auto', [ZONE, lost]).findings.flatMap(({ code, subject }) =>
      code === 'ZONE_NOT_IN_STATE' ? subject : [],
    );
  const empty = stateFacts({ legacyResources: [] });
  expect(missed(state)).toEqual([lost]);
  expect(missed(empty, [])).toEqual([]);
  expect(missed(moved, [])).toEqual([lost]);
});

it('a zone is missed where one of several states holds old resources of other zones', () => {
  const empty = stateFacts({ name: 'empty', legacyResources: [] });
  const missed = (states: (typeof state)[]) =>
    planMigration([], states, 'auto', ['9'.repeat(32)]).findings.filter(
      ({ code }) => code === 'ZONE_NOT_IN_STATE',
    ).length;
  expect(missed([empty, state])).toBe(1);
  expect(missed([empty, empty])).toBe(0);
});
