import { isJsonArray, isJsonObject, type JsonValue } from '../../src/core/json';
import { type SchemaAttributes, type SchemaNode } from '../../src/generate/dialects/dialects';
import schema3 from '../../src/generate/dialects/schemas/v3.json';
import schema4 from '../../src/generate/dialects/schemas/v4.json';
import schema5 from '../../src/generate/dialects/schemas/v5.json';
import canonical from '../fixtures/terraform/canonical/api-entrypoint.json';
import v3 from '../fixtures/terraform/canonical/v3/tfjson/main.tf.json';
import v4 from '../fixtures/terraform/canonical/v4/tfjson/main.tf.json';
import v5 from '../fixtures/terraform/canonical/v5/tfjson/main.tf.json';
import { goldenCases } from './support/golden';
import { stackOf } from './support/generate-files';
import { live, majors, override, resourceOf, rulesOf, told } from './support/live-answer';
import { readTerraformJson } from './support/read-back';

describe.each([
  [3 as const, v3],
  [4 as const, v4],
  [5 as const, v5],
])('for provider %s, the canonical entry point', (major, measured) => {
  it('is declared as in the configuration that was measured to plan empty', () => {
    const expected = readTerraformJson(JSON.stringify(measured), 'waf');
    expect(resourceOf(canonical, major)).toEqual(expected);
  });

  it('trap 2.1: is imported with the id that this major takes', () => {
    const prefix = major === 5 ? 'zones' : 'zone';
    expect(stackOf(canonical, { provider: major }).importId).toBe(
      `${prefix}/0123456789abcdef0123456789abcdef/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`,
    );
  });
});

it('trap 0.6: the ref is not declared for provider 3, which cannot set it', () => {
  const answer = live({ ref: 'mine' }, { ref: '' });
  for (const rule of rulesOf(answer, 3)) expect(rule).not.toHaveProperty('ref');
  expect(told(answer, 3)).toEqual([['REFS_NOT_SUPPORTED', 'info', 'rules']]);
});

describe('trap 0.7: logging of a skip rule left out never converges', () => {
  const skip = { action: 'skip', action_parameters: { ruleset: 'current' } };
  it.each(majors)('so it is on where the rule is to be created, for provider %s', (major) => {
    const [rule] = rulesOf({ name: 'default', rules: [{ ...skip, expression: 'true' }] }, major);
    const on = { 3: [{ status: 'enabled' }], 4: [{ enabled: true }], 5: { enabled: true } };
    expect(rule?.['logging']).toEqual(on[major]);
  });

  it.each(majors)('and on no other rule, for provider %s', (major) => {
    expect(rulesOf(live({}), major)[0]).not.toHaveProperty('logging');
  });
});

describe('trap 0.8: provider 5 ignores unknown keys inside rules without a word', () => {
  const answer = live({
    surprise: 1,
    action: 'execute',
    action_parameters: {
      id: 'b'.repeat(32),
      version: 'latest',
      novelty: { deep: true },
      overrides: { rules: [{ ...override, status: 'disabled', enabeld: true }], extra: 'x' },
    },
  });

  it.each(majors)('so each that is in no schema is left out and told, for provider %s', (major) => {
    const lost = [
      'rules[0].action_parameters.novelty',
      'rules[0].action_parameters.overrides.extra',
      'rules[0].action_parameters.overrides.rules[0].enabeld',
      // provider 3 has a field of that name, which is another one: it says what `enabled` does
      'rules[0].action_parameters.overrides.rules[0].status',
      'rules[0].surprise',
    ];
    const found = told(answer, major).filter(([code]) => code === 'FIELD_NOT_SUPPORTED');
    expect(found.map(([, , subject]) => subject).sort()).toEqual(lost);
    expect(new Set(found.map(([, severity]) => severity))).toEqual(new Set(['decision']));
  });

  it.each(majors)('and nothing else is in the output, for provider %s', (major) => {
    for (const input of [answer, ...goldenCases().map((golden) => golden.input)]) {
      const known = { 3: schema3, 4: schema4, 5: schema5 }[major];
      expect(strangers(resourceOf(input, major), known, 'ruleset')).toEqual([]);
    }
  });
});

/** The paths in a resource that its schema does not know. */
function strangers(value: JsonValue, node: SchemaNode | SchemaAttributes, path: string): string[] {
  if (typeof node === 'string') return [];
  const attributes = typeof node['nesting'] === 'string' ? node['attributes'] : node;
  if (isJsonArray(value))
    return value.flatMap((item, at) => strangers(item, node, `${path}[${at}]`));
  if (!isJsonObject(value) || typeof attributes !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = (attributes as SchemaAttributes)[key];
    return known === undefined ? [`${path}.${key}`] : strangers(inner, known, `${path}.${key}`);
  });
}
