import fc from 'fast-check';
import {
  acceptChanges,
  isOutputChange,
  parseAcceptance,
  unusedAcceptances,
} from '../../src/apply/accept-changes';
import { type PlannedChange } from '../../src/terraform/judge-plan';
import { failureOf } from '../support/client-under-test';

const RULESET = 'cloudflare_ruleset.managed_rules';
const update = (address: string, ...attributes: string[]): PlannedChange => ({
  address,
  actions: ['update'],
  attributes,
});
const noEdits = { steps: [], states: [] };
const accept = (differences: PlannedChange[], ...texts: string[]) => {
  const named = texts.map(parseAcceptance);
  const { left, accepted } = acceptChanges(differences, named, noEdits);
  return {
    left,
    accepted,
    unused: unusedAcceptances(named, accepted).map(({ subject }) => subject),
  };
};

describe('what --accept names', () => {
  it.each([
    ['aws_instance.web', 'aws_instance.web', undefined],
    ['aws_instance.web:tags.Owner', 'aws_instance.web', 'tags.Owner'],
    [
      'module.a["x:y"].aws_instance.web["b:\\"c"]:tags',
      'module.a["x:y"].aws_instance.web["b:\\"c"]',
      'tags',
    ],
    [`${RULESET}:rules[0].description`, RULESET, 'rules[0].description'],
    ['output.id', 'output.id', undefined],
  ])('%s is an address and an attribute', (text, address, attribute) => {
    expect(parseAcceptance(text)).toEqual({ text, address, attribute });
  });

  it.each([
    ['', 'USAGE'],
    [':tags', 'USAGE'],
    ['aws_instance.web:', 'USAGE'],
    ['*', 'ADDRESS_INVALID'],
    ['aws_instance', 'ADDRESS_INVALID'],
    [RULESET, 'USAGE'],
    [`module.waf["a"].${RULESET}["b"]`, 'USAGE'],
  ])('%s is refused: never wholesale', async (text, code) => {
    const read = async () => Promise.resolve(parseAcceptance(text));
    expect((await failureOf(read())).code).toBe(code);
  });
});

describe('a difference that was named', () => {
  it('is accepted with all its attributes, or with the one', () => {
    const both = [update('a.b', 'x', 'y'), update('c.d', 'x')];
    expect(accept(both, 'a.b')).toEqual({
      left: [both[1]],
      accepted: [{ ...both[0], by: ['a.b'] }],
      unused: [],
    });
    expect(accept(both, 'a.b:y')).toEqual({
      left: [update('a.b', 'x'), both[1]],
      accepted: [{ ...update('a.b', 'y'), by: ['a.b:y'] }],
      unused: [],
    });
    expect(accept(both, 'a.b:y', 'a.b:x', 'c.d:x').left).toEqual([]);
  });

  it('of the ruleset is accepted by each of its attributes alone', () => {
    const one = update(RULESET, 'rules[0].enabled', 'rules[1].enabled');
    expect(accept([one], `${RULESET}:rules[0].enabled`).left).toEqual([
      update(RULESET, 'rules[1].enabled'),
    ]);
    // not by what is above it
    expect(accept([one], `${RULESET}:rules`)).toEqual({
      left: [one],
      accepted: [],
      unused: [`${RULESET}:rules`],
    });
  });

  it('and is not there is a finding', () => {
    expect(accept([], 'a.b').unused).toEqual(['a.b']);
    expect(accept([update('a.b', 'x')], 'a.b', 'a.b:y').unused).toEqual(['a.b:y']);
  });

  it.each([
    ['create'],
    ['delete'],
    ['delete', 'create'],
    ['create', 'delete'],
    ['import', 'update'],
    ['forget'],
    ['errored'],
    ['deferred'],
  ])('is accepted by nothing where Terraform plans %s %s', (...actions) => {
    const one = { address: 'a.b', actions, attributes: ['x'] };
    expect(accept([one], 'a.b', 'a.b:x')).toEqual({
      left: [one],
      accepted: [],
      unused: ['a.b', 'a.b:x'],
    });
  });

  it.each(['create', 'update', 'delete'])(
    'of an output is accepted by its name where Terraform plans to %s it',
    (action) => {
      const one: PlannedChange = {
        ...{ address: 'output.o', actions: [action], attributes: [] },
        isOutput: true,
      };
      expect(accept([one], 'output.o')).toMatchObject({ left: [], unused: [] });
      expect(accept([one], 'output.p').left).toEqual([one]);
      const { left } = acceptChanges([one], [parseAcceptance('output.o')], noEdits, isOutputChange);
      expect(left).toEqual([]);
    },
  );

  it('of a resource is no change of an output, whatever its type is called', () => {
    const one = { address: 'output.o', actions: ['delete'], attributes: [] };
    expect(accept([one], 'output.o').left).toEqual([one]);
    const updated = update('a.b', 'x');
    const applied = acceptChanges([updated], [parseAcceptance('a.b')], noEdits, isOutputChange);
    expect(applied).toEqual({ left: [updated], accepted: [] });
  });

  it('is accepted by nothing where it is of an old resource', () => {
    const one = update('module.a["x"].cloudflare_waf_rule.r["y"]', 'mode');
    expect(accept([one], one.address, `${one.address}:mode`).left).toEqual([one]);
  });
});

test('accepting loses no difference: each is left or accepted, once', () => {
  const change = fc.record({
    address: fc.constantFrom('a.b', 'c.d', RULESET, 'cloudflare_waf_rule.r'),
    actions: fc.constantFrom(['update'], ['delete'], ['delete', 'create'], ['create']),
    attributes: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
  });
  const flag = fc.constantFrom('a.b', 'a.b:x', 'c.d:y', `${RULESET}:x`, 'cloudflare_waf_rule.r');
  const paths = (changes: readonly PlannedChange[]) =>
    changes.flatMap(({ address, actions, attributes }) =>
      attributes.map((path) => `${address} ${actions.join()} ${path}`),
    );
  fc.assert(
    fc.property(fc.array(change), fc.uniqueArray(flag), (differences, texts) => {
      const { left, accepted } = acceptChanges(differences, texts.map(parseAcceptance), noEdits);
      expect([...paths(left), ...paths(accepted)].sort()).toEqual(paths(differences).sort());
      expect(accepted.every(({ actions }) => actions.join() === 'update')).toBe(true);
    }),
  );
});
