import fc from 'fast-check';
import {
  acceptChanges,
  isOutputChange,
  requireAcceptable,
  unusedAcceptances,
} from '../../src/apply/accept-changes';
import { type PlannedChange } from '../../src/terraform/judge-plan';

const RULESET = 'cloudflare_ruleset.managed_rules';
const planned = (address: string, ...actions: string[]): PlannedChange => ({
  ...{ address, actions, attributes: ['x', 'y'] },
  ...(address.startsWith('output.') && { isOutput: true }),
});
const noEdits = { steps: [], states: [] };
const accept = (differences: PlannedChange[], ...addresses: string[]) => {
  const { left, accepted } = acceptChanges(differences, addresses, noEdits);
  const unused = unusedAcceptances(addresses, accepted).map(({ subject }) => subject);
  return { left, accepted, unused };
};

test.each(['aws_instance.web', 'module.a["x:y"].aws_instance.web["b:\\"c"]', 'output.id'])(
  '--accept can name %s',
  (address) => {
    expect(() => {
      requireAcceptable(address);
    }).not.toThrow();
  },
);

test.each([
  ['', 'ADDRESS_INVALID'],
  ['*', 'ADDRESS_INVALID'],
  ['aws_instance', 'ADDRESS_INVALID'],
  ['aws_instance.web:tags', 'ADDRESS_INVALID'],
  [RULESET, 'USAGE'],
  [`module.waf["a"].${RULESET}["b"]`, 'USAGE'],
])('--accept cannot name %j', (address, code) => {
  expect(() => {
    requireAcceptable(address);
  }).toThrow(expect.objectContaining({ code }));
});

describe('a difference that is named', () => {
  test('is accepted; the others are left, and an address without a difference is a finding', () => {
    const [one, other] = [planned('a.b', 'update'), planned('c.d', 'update')];
    expect(accept([one, other], 'a.b', 'e.f')).toEqual({
      left: [other],
      accepted: [{ ...one, by: ['a.b'] }],
      unused: ['e.f'],
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
    expect(accept([one], address)).toEqual({ left: [one], accepted: [], unused: [address] });
  });

  test.each(['create', 'update', 'delete'])(
    'is accepted of an output, also in a plan that is applied: %s',
    (action) => {
      const one = planned('output.o', action);
      expect(accept([one], 'output.o')).toMatchObject({ left: [], unused: [] });
      expect(accept([one], 'output.p').left).toEqual([one]);
      expect(acceptChanges([one], ['output.o'], noEdits, isOutputChange).left).toEqual([]);
    },
  );

  test('of a resource is no change of an output, whatever its type is called', () => {
    const one = { address: 'output.o', actions: ['delete'], attributes: [] };
    expect(accept([one], 'output.o').left).toEqual([one]);
    const updated = planned('a.b', 'update');
    const applied = acceptChanges([updated], ['a.b'], noEdits, isOutputChange);
    expect(applied).toEqual({ left: [updated], accepted: [] });
  });
});

test('accepting loses no difference: each is left or accepted, once', () => {
  const addresses = fc.constantFrom('a.b', 'c.d', RULESET, 'cloudflare_waf_rule.r', 'output.o');
  const actions = fc.constantFrom(['update'], ['delete'], ['delete', 'create'], ['move']);
  const change = fc.tuple(addresses, actions).map(([address, all]) => planned(address, ...all));
  const nameOf = (one: PlannedChange): string => `${one.address} ${one.actions.join()}`;
  fc.assert(
    fc.property(fc.array(change), fc.uniqueArray(addresses), (differences, named) => {
      const { left, accepted } = acceptChanges(differences, named, noEdits);
      expect([...left, ...accepted].map(nameOf).sort()).toEqual(differences.map(nameOf).sort());
    }),
  );
});
