import { acceptChanges, isOutputChange } from '../../src/apply/accept-changes';
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
    ['a.b', 'create'],
    ['a.b', 'delete'],
    ['a.b', 'delete', 'create'],
    ['a.b', 'create', 'delete'],
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

  test('is accepted without its name where a resource moves, unless it is of the legacy WAF', () => {
    const [moved, legacy] = [planned('a.b', 'move'), planned('cloudflare_waf_rule.r', 'move')];
    expect(accept([moved, legacy])).toEqual({
      remaining: [legacy],
      accepted: [{ ...moved, by: [] }],
    });
  });

  test('is accepted without its name where an output is removed', () => {
    const one = planned('output.o', 'delete');
    expect(accept([one])).toEqual({ remaining: [], accepted: [{ ...one, by: [] }] });
  });

  test.each(['create', 'update'])(
    'is accepted of an output, also in a plan that is applied: %s',
    (action) => {
      const one = planned('output.o', action);
      expect(accept([one], 'output.o')).toMatchObject({
        remaining: [],
        accepted: [{ by: ['output.o'] }],
      });
      expect(accept([one], 'output.p').remaining).toEqual([one]);
      expect(acceptChanges([one], ['output.o'], plan, isOutputChange).remaining).toEqual([]);
    },
  );

  test('of a resource is no change of an output, whatever its type is called', () => {
    const one = { address: 'output.o', actions: ['delete'], attributes: [] };
    expect(accept([one], 'output.o').remaining).toEqual([one]);
    const updated = planned('a.b', 'update');
    const applied = acceptChanges([updated], ['a.b'], plan, isOutputChange);
    expect(applied).toEqual({ remaining: [updated], accepted: [] });
  });
});
