import { acceptChanges } from '../../src/apply/accept-changes';
import { type PlannedChange } from '../../src/terraform/judge-plan';
import { plannedZone } from '../support/applied-folder';

const planned = (address: string, ...actions: string[]): PlannedChange => ({
  ...{ address, actions, attributes: ['x', 'y'] },
  ...(address.startsWith('output.') && { isOutput: true }),
});
const plan = { zones: [plannedZone('waf')] };
const RULESET = plan.zones[0]!.ruleset.address;
const accept = (differences: PlannedChange[], ...addresses: string[]) =>
  acceptChanges(differences, addresses, plan);

describe('a difference that is named', () => {
  test('is accepted, and the others are left', () => {
    const another = 'cloudflare_ruleset.of_another_phase';
    const [one, other] = [planned(another, 'update'), planned('c.d', 'update')];
    expect(accept([one, other], another, 'e.f')).toEqual({
      remaining: [other],
      accepted: [{ ...one, by: [another] }],
    });
  });

  test.each([
    ['a.b', 'delete'],
    ['module.a.cloudflare_ruleset.b["x"]', 'create'],
    ['cloudflare_ruleset.b', 'delete'],
    ['cloudflare_zone.z', 'delete', 'create'],
    ['cloudflare_waf_rule.r', 'create'],
    ['a.b', 'import', 'update'],
    ['a.b', 'forget'],
    ['a.b', 'errored'],
    ['a.b', 'deferred'],
    [RULESET, 'update'],
    ['module.a["x"].cloudflare_waf_rule.r["y"]', 'update'],
    ['output.o', 'delete', 'create'],
  ])('is not accepted: %s %s %s', (address, ...actions) => {
    const one = planned(address, ...actions);
    expect(accept([one], address)).toEqual({ remaining: [one], accepted: [] });
  });

  test.each([['create'], ['delete', 'create'], ['create', 'delete'], ['update']])(
    'is accepted of another resource: %s %s',
    (...actions) => {
      const one = planned('a.b', ...actions);
      expect(accept([one], 'a.b').remaining).toEqual([]);
    },
  );

  test('is accepted by its name where a resource moves and also differs', () => {
    const moved = planned('a.b', 'move', 'update');
    expect([accept([moved]), accept([moved], 'a.b')]).toEqual([
      { remaining: [moved], accepted: [] },
      { remaining: [], accepted: [{ ...moved, by: ['a.b'] }] },
    ]);
  });

  test('is accepted without its name where a resource moves, unless it is of the legacy WAF', () => {
    const [moved, legacy] = [planned('a.b', 'move'), planned('cloudflare_waf_rule.r', 'move')];
    expect(accept([moved, legacy])).toEqual({
      remaining: [legacy],
      accepted: [{ ...moved, by: [] }],
    });
  });
});
