import { conformObject } from '../../src/generate/dialects/build-resource';
import { dialects } from '../../src/generate/dialects/registry';
import { parseSchema } from '../../src/generate/dialects/dialect';
import { type Finding } from '../../src/core/finding';
import { type JsonObject } from '../../src/core/json';
import { stackOf } from './support/generate-files';
import { live, overriding, rulesOf } from './support/live-answer';

/** What is left of an object under a schema, and what is told of the rest. */
function conformed(value: JsonObject, schema: JsonObject) {
  const findings: Finding[] = [];
  const place = { path: 'at', holder: '' };
  const result = conformObject(value, parseSchema(schema), dialects[4], place, findings);
  return { result, lost: findings.map(({ subject }) => subject) };
}
const told = (overrides: object) =>
  stackOf(overriding(overrides)).findings.map(({ code, subject }) => [
    code,
    subject.replace('rules[0].action_parameters.', ''),
  ]);

describe('a field', () => {
  const attributes = { a: 'string' };
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a set', { nesting: 'set', attributes }, { x: [{ a: 'b' }] }, { x: [{ a: 'b' }] }],
    ['a list', { nesting: 'list', attributes }, { x: [{}] }, { x: [{}] }],
    ['a block', { nesting: 'block', attributes }, { x: { a: 'b' } }, { x: [{ a: 'b' }] }],
    ['a map', { nesting: 'map', attributes }, { x: { k: { a: 'b' } } }, { x: { k: { a: 'b' } } }],
    ['null', { nesting: 'single', attributes }, { x: null }, {}],
  ])('is carried as %s', (_, node, value, expected) => {
    expect(conformed(value, { x: node })).toEqual({ result: expected, lost: [] });
  });

  it.each<[string, JsonObject['x'], JsonObject['x']]>([
    ['text in a set', { nesting: 'set', attributes: {} }, 'b'],
    ['text in a list of objects', { nesting: 'list', attributes: {} }, [{}, 'b']],
    ['text that should be true or false', 'bool', 'true'],
    ['a map of which one value is no text', 'map of string', { a: 'b', c: 1 }],
    ['a list of which one item is no text', 'list of string', ['a', 1]],
  ])('is lost as a whole where it is %s', (_, node, value) => {
    expect(conformed({ x: value! }, { x: node! })).toEqual({ result: {}, lost: ['at.x'] });
  });
});

test('a null in a list is lost alone', () => {
  const schema = { x: { nesting: 'list', attributes: {} }, y: 'set of string' };
  expect(conformed({ x: [{}, null], y: [null, 'b', null] }, schema)).toEqual({
    result: { x: [{}], y: ['b'] },
    lost: ['at.x[1]', 'at.y[0]', 'at.y[2]'],
  });
});

describe('the schema of a provider', () => {
  it('is read without what is not known of a node', () => {
    const node = { nesting: 'block', max: 1, attributes: { a: 'string' } };
    expect(parseSchema({ x: { ...node, extra: 1 } })).toEqual({ x: node });
  });

  it.each([
    ...[undefined, null, 7, [], {}, { nesting: 'block' }, { attributes: {} }],
    ...[
      { nesting: 'other', attributes: {} },
      { nesting: 'block', attributes: null },
    ],
    ...[
      { nesting: 'block', attributes: 'x' },
      { nesting: 'x', attributes: 'y' },
    ],
  ])('is refused where a node is %j', (node) => {
    expect(() => parseSchema({ x: node })).toThrow('schema: x is neither a type nor an object');
  });
});

describe('overrides', () => {
  it.each<[string, object, unknown[]]>([
    ['one that sets a threshold', { rules: [{ id: 'a'.repeat(32), score_threshold: 25 }] }, []],
    ['one of sensitivity', { rules: [{ id: 'a'.repeat(32), sensitivity_level: 'low' }] }, []],
    ['a null beside a setting', { action: 'log', rules: null }, []],
    ['no object', { rules: ['x'] }, [['FIELD_NOT_SUPPORTED', 'overrides.rules']]],
  ])('of provider 5 are told of as far as they cannot be held: %s', (_, overrides, expected) => {
    expect(told(overrides)).toEqual(expected);
  });

  it('of provider 5 are left out where nothing but null is in them', () => {
    const [rule] = rulesOf(overriding({ rules: null, categories: null }), 5);
    expect(rule!['action_parameters']).toEqual({ id: 'b'.repeat(32) });
  });

  it('of provider 3 have no status of the service, which would say the contrary of enabled', () => {
    const status = { enabled: true, status: 'disabled' };
    const answer = overriding({ ...status, rules: [{ id: 'a'.repeat(32), ...status }] });
    answer.rules[0] = { ...answer.rules[0]!, ...{ logging: status } };
    const [rule] = rulesOf(answer, 3);
    const on = { status: 'enabled' };
    expect(rule!['logging']).toEqual([on]);
    expect(rule!['action_parameters'][0].overrides).toEqual([
      { ...on, rules: [{ id: 'a'.repeat(32), ...on }] },
    ]);
    const lost = stackOf(answer, { provider: 3 }).findings.filter(
      ({ code }) => code === 'FIELD_NOT_SUPPORTED',
    );
    expect(lost.map(({ subject }) => subject)).toEqual([
      'rules[0].action_parameters.overrides.status',
      'rules[0].action_parameters.overrides.rules[0].status',
      'rules[0].logging.status',
    ]);
  });

  it('of provider 3 are told of nothing where a status of the service is null', () => {
    const { findings } = stackOf(overriding({ status: null, action: 'log' }), { provider: 3 });
    expect(findings.map(({ code }) => code)).toEqual(['REFS_NOT_SUPPORTED']);
  });

  it('of provider 3 and 4 have no score of 0, which those cannot tell from none, and say so', () => {
    const scored = { id: 'a'.repeat(32), action: 'log', score_threshold: 0 };
    const answer = overriding({ rules: [scored] });
    for (const provider of [3, 4] as const) {
      const [rule] = rulesOf(answer, provider);
      const [overrides] = rule!['action_parameters'][0].overrides;
      expect(overrides.rules).toEqual([{ id: 'a'.repeat(32), action: 'log' }]);
      expect(stackOf(answer, { provider }).findings).toContainEqual(
        expect.objectContaining({
          code: 'FIELD_NOT_SUPPORTED',
          subject: 'rules[0].action_parameters.overrides.rules[0].score_threshold',
        }),
      );
    }
    const [rule] = rulesOf(answer, 5);
    expect(rule!['action_parameters'].overrides.rules).toEqual([scored]);
    expect(told({ rules: [scored] })).toEqual([]);
    // another 0 is none of these
    const [other] = rulesOf(live({ action_parameters: { increment: 0 } }), 4);
    expect(other!['action_parameters']).toEqual([{ increment: 0 }]);
  });

  it.each([3, 4, 5] as const)(
    'of provider %i have no version, and say so of one that somebody chose',
    (provider) => {
      const toldOf = (version: string) => {
        const answer = live({ action_parameters: { id: 'a'.repeat(32), version } });
        expect(JSON.stringify(rulesOf(answer, provider))).not.toContain('version');
        const { findings } = stackOf(answer, { provider });
        return findings.filter(({ code }) => code === 'VERSION_NOT_DECLARED');
      };
      expect([...toldOf('latest'), ...toldOf('')]).toEqual([]);
      expect(toldOf('41')).toMatchObject([
        {
          severity: 'info',
          subject: 'rules[0].action_parameters.version',
          message: expect.stringContaining('in a version that somebody chose'),
          remedy: expect.stringContaining('the latest version'),
        },
      ]);
    },
  );

  it('of provider 5 are told of nothing where a parameter is null', () => {
    const answer = live({ action: 'skip', action_parameters: { ruleset: 'current', rules: null } });
    expect(stackOf(answer).findings).toEqual([]);
  });

  it('of provider 3 have a status for what is on or off alone', () => {
    const [rule] = rulesOf(overriding({ enabled: 'yes', action: 'log' }), 3);
    expect(rule!['action_parameters'][0].overrides).toEqual([{ action: 'log' }]);
  });
});

describe('a list of nothing that an exception has', () => {
  const empty = { products: [], rulesets: [], phases: [], rules: {} };
  const answer = live({
    action: 'skip',
    logging: {},
    action_parameters: { ruleset: 'current', ...empty },
  });

  it('is left out for provider 5, which refuses it and shows it in every plan', () => {
    const [rule] = rulesOf(answer, 5);
    expect(rule).toMatchObject({ action_parameters: { ruleset: 'current' } });
    expect(rule).not.toHaveProperty('logging');
    expect(rule!['action_parameters']).toEqual({ ruleset: 'current' });
    const { findings } = stackOf(answer);
    expect(findings.map(({ code, subject }) => [code, subject])).toEqual(
      Object.keys(empty).map((name) => ['NEVER_PLANS_EMPTY', `rules[0].action_parameters.${name}`]),
    );
    expect(findings[0]?.message).toContain('products that are empty or hold an empty list');
  });

  it('is lost, and told, where no provider knows what it would be of', () => {
    const odd = live({ action_parameters: { odd: [] } });
    for (const provider of [3, 4, 5] as const) {
      const { findings } = stackOf(odd, { provider });
      const decisions = findings.filter(({ severity }) => severity === 'decision');
      expect(decisions.map(({ code }) => code)).toEqual(['FIELD_NOT_SUPPORTED']);
    }
  });

  it('is left out for provider 3 and 4, which read it as none', () => {
    for (const provider of [3, 4] as const) {
      const [rule] = rulesOf(answer, provider);
      expect(rule!['action_parameters']).toEqual([{ ruleset: 'current', rules: {} }]);
    }
    const { findings } = stackOf(answer, { provider: 4 });
    expect(findings).toEqual([]);
  });

  it('is left out for provider 5 where it is one of several, with the same word', () => {
    const rules = { ['a'.repeat(32)]: ['b'.repeat(32)], ['c'.repeat(32)]: [] };
    const several = live({
      action: 'skip',
      logging: { enabled: true },
      action_parameters: { rules },
    });
    const [rule] = rulesOf(several, 5);
    expect(rule!['action_parameters'].rules).toEqual({ ['a'.repeat(32)]: ['b'.repeat(32)] });
    expect(stackOf(several).findings.map(({ subject }) => subject)).toEqual([
      'rules[0].action_parameters.rules',
    ]);
  });
});
