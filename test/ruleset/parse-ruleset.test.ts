import { parseRuleset } from '../../src/ruleset/parse-ruleset';
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

describe('an answer of the API', () => {
  it('is live if it has an id, otherwise a proposal', () => {
    expect(parseRuleset({ ...ruleset, id, rules: [rule] }).origin).toBe('live');
    for (const none of [{}, { id: '' }, { id: null }]) {
      const parsed = parseRuleset({ ...ruleset, ...none, rules: [rule] });
      expect(parsed.origin).toBe('config');
      expect(parsed.ruleset).not.toHaveProperty('id');
    }
  });

  it('is read with or without its envelope', () => {
    const result = { ...ruleset, id, rules: [rule] };
    const envelope = { success: true, errors: [], messages: [], result };
    expect(parseRuleset(envelope)).toEqual(parseRuleset(result));
    expect(parseRuleset({ result })).toEqual(parseRuleset(result));
  });

  it('keeps unknown fields', () => {
    const fields = { version: '3', last_updated: 'x', surprise: { deep: [1, null, 'a'] } };
    const parsed = parseRuleset({ ...ruleset, odd: true, rules: [{ ...rule, ...fields }] }).ruleset;
    expect(parsed.fields).toEqual({ odd: true });
    expect(parsed.rules[0]?.fields).toEqual(fields);
  });
});

describe('an answer without rules', () => {
  it.each([null, [], undefined])('is refused, not read as an empty ruleset: %j', (rules) => {
    const document = rules === undefined ? ruleset : { ...ruleset, rules };
    const error = refusal({ success: true, result: document });
    expect(error).toMatchObject({ code: 'RULESET_EMPTY' });
    expect(error.hint).toContain('would disable the protection');
  });

  it('is refused with a name without control characters', () => {
    const { message } = refusal({ ...ruleset, name: `\x1b[2J\u202e${'x'.repeat(10_000)}` });
    expect(message).toMatch(/^the ruleset "\\u\{1b\}\[2J\\u\{202e\}x+…" has no rules$/);
    expect(message.length).toBeLessThan(200);
  });
});

it('trap 2.2: providers import a managed ruleset, so its kind is refused', () => {
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
    ['a list', [whole], /document: /],
    ['an empty object', {}, /name: /],
    ['an empty name', { ...whole, name: '' }, /name: /],
    ['a refusal', { success: false, errors: [], result: null }, /an error of the Cloudflare API/],
    ['a refusal with a result', { success: false, result: whole }, /an error of the Cloudflare/],
    ['an odd success', { success: 'yes', result: whole }, /an error of the Cloudflare API/],
    ['an envelope without a result', { success: true, errors: [] }, /document: /],
    ['an empty result', { success: true, result: null }, /document: /],
    ['rules that are no list', { ...whole, rules: { 0: rule } }, /rules: /],
    ['a rule that is none', { ...whole, rules: [rule, null] }, /rules\.1: /],
    ['a rule without an action', { ...whole, rules: [{ expression: 'true' }] }, /0\.action: /],
    ['a blank expression', { ...whole, rules: [{ ...rule, expression: '' }] }, /0\.expression: /],
    ['enabled that is text', { ...whole, rules: [{ ...rule, enabled: 'true' }] }, /0\.enabled: /],
    ['a ruleset of an account', { ...whole, kind: 'root' }, /kind "root"/],
    [
      '[S118] another phase',
      { ...whole, phase: 'http_ratelimit' },
      /phase "http_ratelimit", not "http_/,
    ],
    ['an id that is not hexadecimal', { ...whole, id: 'g'.repeat(32) }, /"g+" is not 32 hexa/],
    ['an id that is a path', { ...whole, id: '../../etc/passwd' }, /etc\/passwd" is not 32/],
  ])('is %s', (_, document, message) => {
    expect(refusal(document)).toMatchObject({
      code: 'RULESET_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('shows a hostile kind in one line without control characters', () => {
    const { message } = refusal({ ...whole, kind: `zone\n\x1b]0;owned\x07${'k'.repeat(5000)}` });
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(300);
  });
});
