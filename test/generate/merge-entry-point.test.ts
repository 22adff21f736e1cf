import fc from 'fast-check';
import { diffRulesets } from '../../src/generate/diff-rulesets';
import { mergeEntryPoint } from '../../src/generate/merge-entry-point';
import { normaliseRuleset } from '../../src/generate/normalise-ruleset';
import { parseRuleset } from '../../src/generate/parse-ruleset';
import { renderEntryPoint } from '../../src/generate/render-entry-point';
import { expectGolden } from './support/golden';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';
const id = (digit: string): string => digit.repeat(32);

const blank = { id: '', version: '', ref: '', description: '', enabled: true };
const deploy = (ruleset: string, parameters: object = {}, rest: object = {}) => ({
  ...blank,
  action: 'execute',
  expression: 'true',
  action_parameters: { id: ruleset, ...parameters },
  ...rest,
});
const skip = (expression: string, rest: object = {}) => ({
  ...blank,
  action: 'skip',
  expression,
  action_parameters: { ruleset: 'current' },
  ...rest,
});
const config = (...rules: object[]) => parseRuleset({ name: 'default', rules }).ruleset;
const standing = (...rules: object[]) =>
  parseRuleset({ id: id('f'), name: 'zone', description: 'ours', rules }).ruleset;
const merged = (...args: Parameters<typeof mergeEntryPoint>) => {
  const { ruleset, findings } = mergeEntryPoint(...args);
  return { ruleset: normaliseRuleset(ruleset).ruleset, codes: findings.map(({ code }) => code) };
};

test('without an entry point the configuration is the entry point', () => {
  const proposed = config(deploy(MANAGED));
  expect(mergeEntryPoint(undefined, proposed)).toEqual({ ruleset: proposed, findings: [] });
});

test('what stands keeps its place, name, id and ref; what is new comes behind it', () => {
  const stands = standing(
    deploy(CREDENTIALS, {}, { id: id('1'), ref: 'credentials', description: 'leaked' }),
    deploy(MANAGED, {}, { id: id('2'), ref: 'managed', enabled: false, description: 'ours' }),
  );
  const { ruleset, codes } = merged(stands, config(deploy(MANAGED), deploy(OWASP)));
  expect(ruleset).toMatchObject({ name: 'zone', description: 'ours' });
  expect(ruleset).not.toHaveProperty('id');
  expect(ruleset.rules).toMatchObject([
    { id: id('1'), ref: 'credentials' },
    { id: id('2'), ref: 'managed', enabled: true, description: 'ours' },
    { ref: `execute_${OWASP}` },
  ]);
  expect(codes).toEqual(['STANDING_RULE_KEPT']);
});

test('other settings are told, and those of the configuration are taken', () => {
  const overrides = { overrides: { rules: [{ id: id('3'), action: 'log' }] } };
  const stands = standing(deploy(MANAGED, {}, { id: id('1'), ref: 'managed' }));
  const { ruleset, codes } = merged(stands, config(deploy(MANAGED, overrides)));
  expect(ruleset.rules).toMatchObject([
    { ref: 'managed', fields: { action_parameters: { ...overrides } } },
  ]);
  expect(codes).toEqual(['STANDING_RULE_DIFFERS']);
});

test('an exception comes before what it excepts from', () => {
  const stands = standing(deploy(MANAGED, {}, { id: id('1'), ref: 'managed' }));
  const { ruleset } = merged(stands, config(skip('ip.src eq 192.0.2.1'), deploy(MANAGED)));
  expect(ruleset.rules.map(({ action }) => action)).toEqual(['skip', 'execute']);
  expect(ruleset.rules[0]?.fields['logging']).toEqual({ enabled: true });
});

test('what the service adds by itself is no difference', () => {
  const stands = standing(
    skip('ip.src eq 192.0.2.1', { id: id('1'), ref: 'office', logging: { enabled: true } }),
    deploy(MANAGED, { version: 'latest' }, { id: id('2'), ref: 'm', version: '3' }),
  );
  const { ruleset, codes } = merged(stands, config(skip('ip.src eq 192.0.2.1'), deploy(MANAGED)));
  expect(ruleset.rules).toHaveLength(2);
  expect(codes).toEqual([]);
});

test('what stands and what is proposed, of every kind, become one entry point', () => {
  const stands = standing(
    deploy(CREDENTIALS, {}, { id: id('1'), ref: 'credentials', description: 'leaked' }),
    { action: 'block', expression: 'ssl', enabled: false, id: id('2'), ref: 'own' },
    skip('ip.src eq 192.0.2.1', { id: id('3'), ref: 'office', description: 'ours' }),
    deploy(MANAGED, {}, { id: id('4'), expression: 'not ssl', description: 'half' }),
    deploy(OWASP, {}, { id: id('5'), ref: 'score', enabled: false }),
  );
  const proposed = config(
    deploy(OWASP, {}, { description: 'as proposed' }),
    { action: 'log', expression: 'ssl', enabled: true, ref: 'own' },
    skip('ip.src eq 192.0.2.1'),
    deploy(MANAGED),
    deploy(MANAGED, {}, { expression: 'ssl' }),
    skip('ip.src eq 192.0.2.2', { ref: 'score' }),
    { action: 'block', expression: 'a', enabled: true, ref: id('4') },
  );
  const text = JSON.stringify(mergeEntryPoint(stands, proposed), null, 2);
  expectGolden('generate/merged', 'all.json', `${text}\n`);
});

test('a ref that was made never collides with one that stands', () => {
  const stands = standing(
    deploy(MANAGED, {}, { id: id('1'), ref: 'a' }),
    deploy(CREDENTIALS, {}, { id: id('2'), ref: `execute_${OWASP}` }),
    skip('ip.src eq 192.0.2.1', { id: id('3'), ref: `execute_${MANAGED}` }),
  );
  const { ruleset } = merged(stands, config(deploy(MANAGED), deploy(CREDENTIALS), deploy(OWASP)));
  const refs = ruleset.rules.map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(refs.length);
  expect(refs).toHaveLength(4);
});

test('two own rules for the same requests that do different things are two rules', () => {
  const [block, log] = ['block', 'log'].map((action) => ({
    action,
    expression: 'ssl',
    ref: action,
  }));
  const { ruleset } = merged(standing(block!), config(log!));
  expect(ruleset.rules.map(({ ref }) => ref)).toEqual(['log', 'block']);
});

test('a ref that is taken twice gets the next number', () => {
  const stands = standing(skip('ssl', { ref: 'a' }), skip('other', { ref: 'a_2' }));
  const { ruleset } = merged(stands, config(skip('ssl'), skip('not ssl', { ref: 'a' })));
  expect(ruleset.rules.map(({ ref }) => ref)).toEqual(['a_3', 'a', 'a_2']);
});

test('what neither has is not there', () => {
  const rules = [{ action: 'log', expression: 'ssl', ref: 'a', enabled: true }];
  const stands = parseRuleset({ name: 'zone', rules }).ruleset;
  expect(mergeEntryPoint(stands, config(...rules)).ruleset).toStrictEqual(stands);
});

describe('laws', () => {
  const rule = fc.oneof(
    fc
      .record({
        ruleset: fc.constantFrom(MANAGED, OWASP, CREDENTIALS),
        expression: fc.constantFrom('true', 'ip.src eq 192.0.2.1'),
        enabled: fc.boolean(),
      })
      .map(({ ruleset, ...rest }) => deploy(ruleset, {}, rest)),
    fc.constantFrom('ip.src eq 192.0.2.1', 'ip.src eq 192.0.2.2').map((text) => skip(text)),
  );
  const proposals = fc.array(rule, { minLength: 1, maxLength: 5 });
  const standings = fc
    .array(fc.tuple(rule, fc.constantFrom('r', `execute_${MANAGED}`, 'skip')), { maxLength: 5 })
    .filter((rules) => rules.length > 0)
    .map((rules) =>
      rules.map(([one, ref], index) => ({
        ...one,
        id: index.toString(16).repeat(32),
        ref: `${ref}${index === 0 ? '' : String(index)}`,
      })),
    );

  test('no rule that stands is lost, and each keeps its id and ref', () => {
    fc.assert(
      fc.property(standings, proposals, (stands, proposed) => {
        const { ruleset } = merged(standing(...stands), config(...proposed));
        for (const { id, ref } of stands) {
          expect(ruleset.rules).toContainEqual(expect.objectContaining({ id, ref }));
        }
      }),
    );
  });

  test('every rule of the configuration is in the result, as it was proposed', () => {
    const does = ({ action, expression, enabled, fields }: any): string =>
      JSON.stringify([action, expression, enabled, fields.action_parameters]);
    fc.assert(
      fc.property(standings, proposals, (stands, proposed) => {
        const { ruleset } = merged(standing(...stands), config(...proposed));
        const result = ruleset.rules.map(does);
        for (const one of normaliseRuleset(config(...proposed)).ruleset.rules) {
          expect(result).toContain(does(one));
        }
      }),
    );
  });

  test('merging again what has been sent changes nothing', () => {
    fc.assert(
      fc.property(standings, proposals, (stands, proposed) => {
        const once = merged(standing(...stands), config(...proposed)).ruleset;
        const sent = renderEntryPoint(once)['rules'] as object[];
        const saved = sent.map((one, index) => ({ ...one, id: id((index % 16).toString(16)) }));
        const again = merged(standing(...saved), config(...proposed)).ruleset;
        expect(diffRulesets(once, again)).toEqual([]);
      }),
    );
  });
});
