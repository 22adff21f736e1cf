import { parseRuleset, renderRule } from '../../src/ruleset/parse-ruleset';
import { MigrationError } from '../../src/core/migration-error';

const id = 'f'.repeat(32);
const rule = { action: 'log', expression: 'true' };
const ruleset = { name: 'default', kind: 'zone', phase: 'http_request_firewall_managed' };

/** The error that a document is refused with. */
function refusal(document: unknown): MigrationError {
  try {
    parseRuleset(document);
  } catch (error) {
    if (error instanceof MigrationError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('an answer of the service', () => {
  it('is live when it has an id, and else a proposal', () => {
    expect(parseRuleset({ ...ruleset, id, rules: [rule] }).origin).toBe('live');
    for (const none of [{}, { id: '' }, { id: null }]) {
      const parsed = parseRuleset({ ...ruleset, ...none, rules: [rule] });
      expect(parsed.origin).toBe('config');
      expect(parsed.ruleset).not.toHaveProperty('id');
    }
  });

  it('is read with its envelope or without', () => {
    const result = { ...ruleset, id, rules: [rule] };
    const envelope = { success: true, errors: [], messages: [], result };
    expect(parseRuleset(envelope)).toEqual(parseRuleset(result));
    expect(parseRuleset({ result })).toEqual(parseRuleset(result));
  });

  it('may leave out kind and phase, as the configuration endpoint does', () => {
    expect(parseRuleset({ name: 'default', rules: [rule] }).ruleset).toMatchObject(ruleset);
  });

  it('loses the blank id, version and ref of its rules, and an empty description', () => {
    const blank = { id: '', version: '', ref: '', description: '', ...rule };
    expect(parseRuleset({ ...ruleset, rules: [blank] }).ruleset.rules).toEqual([
      { ...rule, fields: {} },
    ]);
  });

  it('keeps every field that it has, known or not', () => {
    const fields = { version: '3', last_updated: 'x', surprise: { deep: [1, null, 'a'] } };
    const parsed = parseRuleset({ ...ruleset, odd: true, rules: [{ ...rule, ...fields }] }).ruleset;
    expect(parsed.fields).toEqual({ odd: true });
    expect(parsed.rules[0]?.fields).toEqual(fields);
  });

  it('keeps the names that every object of JavaScript answers to', () => {
    const fields = { constructor: 1, toString: 'a', hasOwnProperty: null };
    const parsed = parseRuleset({ ...ruleset, ...fields, rules: [{ ...rule, ...fields }] }).ruleset;
    expect(Object.keys(parsed.fields)).toEqual(Object.keys(fields));
    expect(Object.keys(parsed.rules[0]?.fields ?? {})).toEqual(Object.keys(fields));
  });

  it('keeps an empty description of the ruleset apart from none', () => {
    const described = parseRuleset({ ...ruleset, description: '', rules: [rule] }).ruleset;
    expect(described.description).toBe('');
    for (const none of [{}, { description: null }]) {
      const { ruleset: parsed } = parseRuleset({ ...ruleset, ...none, rules: [rule] });
      expect(parsed).not.toHaveProperty('description');
    }
  });
});

it('a rule is rendered with no more than it has', () => {
  expect(renderRule({ ...rule, fields: {} })).toStrictEqual(rule);
});

describe('an answer without rules', () => {
  it.each([null, [], undefined])('is refused, never taken for an empty ruleset: %j', (rules) => {
    const document = rules === undefined ? ruleset : { ...ruleset, rules };
    const error = refusal({ success: true, result: document });
    expect(error).toMatchObject({ code: 'RULESET_EMPTY' });
    expect(error.hint).toContain('would disable the protection');
  });

  it('is refused with a name that cannot drive a terminal', () => {
    const { message } = refusal({ ...ruleset, name: `\x1b[2J\u202e${'x'.repeat(10_000)}` });
    expect(message).toMatch(/^the ruleset "\\u\{1b\}\[2J\\u\{202e\}x+…" has no rules$/);
    expect(message.length).toBeLessThan(200);
  });
});

it('trap 2.2: a managed ruleset imports happily, so its kind is refused', () => {
  const managed = { ...ruleset, id, kind: 'managed', rules: [rule] };
  expect(refusal(managed)).toMatchObject({
    code: 'RULESET_INVALID',
    message: expect.stringContaining('kind "managed", not "zone"'),
  });
});

describe('an answer that is refused', () => {
  const whole = { ...ruleset, id, rules: [rule] };
  it.each<[string, unknown, RegExp]>([
    ['nothing', null, /document: /],
    ['a number', 7, /document: /],
    ['a list', [whole], /document: /],
    ['text', JSON.stringify(whole), /document: /],
    ['an empty object', {}, /name: /],
    ['an empty name', { ...whole, name: '' }, /name: /],
    ['a name that is no text', { ...whole, name: 5 }, /name: /],
    [
      'a refusal of the service',
      { success: false, errors: [], result: null },
      /an error of the Cloudflare API/,
    ],
    [
      'a refusal without a result',
      { success: false, errors: [{ code: 1 }] },
      /an error of the Cloudflare API/,
    ],
    [
      'a refusal with a result',
      { success: false, result: whole },
      /an error of the Cloudflare API/,
    ],
    [
      'a success that is no answer',
      { success: 'yes', result: whole },
      /an error of the Cloudflare API/,
    ],
    ['an envelope without a result', { success: true, errors: [] }, /document: /],
    ['an empty result', { success: true, result: null }, /document: /],
    ['rules that are no list', { ...whole, rules: { 0: rule } }, /rules: /],
    ['a rule that is none', { ...whole, rules: [rule, null] }, /rules\.1: /],
    ['a rule without an action', { ...whole, rules: [{ expression: 'true' }] }, /0\.action: /],
    ['a rule with a blank action', { ...whole, rules: [{ ...rule, action: '' }] }, /0\.action: /],
    ['a rule without an expression', { ...whole, rules: [{ action: 'log' }] }, /0\.expression: /],
    ['a blank expression', { ...whole, rules: [{ ...rule, expression: '' }] }, /0\.expression: /],
    ['enabled that is text', { ...whole, rules: [{ ...rule, enabled: 'true' }] }, /0\.enabled: /],
    ['a ruleset of an account', { ...whole, kind: 'root' }, /kind "root"/],
    [
      '[S118] another phase',
      { ...whole, phase: 'http_ratelimit' },
      /phase "http_ratelimit", not "http_/,
    ],
    ['an id that is not hexadecimal', { ...whole, id: 'g'.repeat(32) }, /"g+" is not 32 hexa/],
    ['an id in capitals', { ...whole, id: 'F'.repeat(32) }, /is not 32 hexadecimal digits/],
    ['an id that is a path', { ...whole, id: '../../etc/passwd' }, /etc\/passwd" is not 32/],
  ])('is %s', (_, document, message) => {
    expect(refusal(document)).toMatchObject({
      code: 'RULESET_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('has a key __proto__, anywhere, which would be lost without a word', () => {
    const polluted = JSON.parse('{"__proto__": {"enabled": false}}');
    const places = [
      { ...whole, deep: polluted },
      { ...whole, rules: [{ ...rule, action_parameters: { rules: polluted } }] },
      JSON.parse(`{"__proto__": null, "name": "a", "rules": [${JSON.stringify(rule)}]}`),
    ];
    for (const place of places) {
      expect(refusal(place)).toMatchObject({ code: 'RULESET_INVALID' });
      expect(refusal(place).message).toContain('"__proto__"');
    }
    expect({}).not.toHaveProperty('enabled');
  });

  it('is nested too deep, which is no crash', () => {
    const lists = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(parseRuleset({ ...whole, deep: lists(64) }).ruleset.fields).toHaveProperty('deep');
    expect(refusal({ ...whole, deep: lists(65) }).message).toContain('nested more than 64 deep');
    const deep = lists(100_000);
    expect(refusal({ ...whole, deep }).message).toContain('nested more than 64 deep');
    expect(refusal(deep).message).toContain('nested more than 64 deep');
  });

  it('has its hostile kind shown in one safe line', () => {
    const { message } = refusal({ ...whole, kind: `zone\n\x1b]0;owned\x07${'k'.repeat(5000)}` });
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(300);
  });
});
