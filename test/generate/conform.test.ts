import { conformObject } from '../../src/generate/dialects/conform';
import { dialects } from '../../src/generate/dialects/registry';
import { parseSchema } from '../../src/generate/dialects/schema';
import { type Finding } from '../../src/model/finding';
import { type JsonObject } from '../../src/model/json';
import { stackOf } from './support/generate-files';
import { overriding, rulesOf } from './support/live-answer';

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

test('a field that is required is told once where it does not fit, and where it is not there', () => {
  const node = { nesting: 'single', required: ['a'], attributes: { a: 'string' } };
  for (const x of [{ a: 1 }, {}]) {
    expect(conformed({ x }, { x: node })).toEqual({ result: { x: {} }, lost: ['at.x.a'] });
  }
});

describe('the schema of a provider', () => {
  it('is read without what is not known of a node', () => {
    const node = { nesting: 'block', max: 1, required: ['a'], attributes: { a: 'string' } };
    expect(parseSchema({ x: { ...node, extra: 1 } })).toEqual({ x: node });
    expect(parseSchema({ x: { ...node, required: ['a', 7] } })).toEqual({ x: node });
    expect(parseSchema({ x: { ...node, required: 'a' } })).toEqual({
      x: { ...node, required: [] },
    });
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

  it('of provider 3 have a status for what is on or off alone', () => {
    const [rule] = rulesOf(overriding({ enabled: 'yes', action: 'log' }), 3);
    expect(rule!['action_parameters'][0].overrides).toEqual([{ action: 'log' }]);
  });
});
