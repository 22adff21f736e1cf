import v3 from '../fixtures/terraform/canonical/v3/tfjson/main.tf.json';
import v4 from '../fixtures/terraform/canonical/v4/tfjson/main.tf.json';
import v5 from '../fixtures/terraform/canonical/v5/tfjson/main.tf.json';
import { stackOf, textOf } from './support/generate-files';
import {
  answers,
  live,
  majors,
  override,
  type Part,
  type Major,
  resourceOf,
  rulesOf,
  told,
} from './support/live-answer';
import { readTerraformJson } from './support/read-back';

const { canonical } = answers;

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

describe('trap 0.5: enabled left out switches the rule off, or on', () => {
  it.each(majors)('so it is explicit on every rule for provider %s', (major) => {
    const answer = live({ enabled: false }, { enabled: undefined }, { enabled: null }, {});
    delete (answer.rules[1] as Part)['enabled'];
    expect(rulesOf(answer, major).map(({ enabled }) => enabled)).toEqual([false, true, true, true]);
  });
});

describe('trap 0.6: ref left out re-mints every id at the next change', () => {
  const answer = live({ ref: 'mine' }, { ref: '' }, { ref: String(3).padStart(32, 'e') });

  it.each([4, 5] as const)(
    'so it is explicit for provider %s, also where it equals the id',
    (major) => {
      const [first, , third] = rulesOf(answer, major);
      expect([first?.['ref'], third?.['ref']]).toEqual(['mine', answer.rules[2]?.id]);
    },
  );

  it.each([4, 5] as const)(
    'but not if the live rule has none, because provider %s would plan to add it',
    (major) => {
      const [, second] = rulesOf(answer, major);
      expect(second).not.toHaveProperty('ref');
      expect(told(answer, major)).toEqual([['REFS_NOT_SUPPORTED', 'info', 'rules[1]']]);
      const proposed = { name: answer.name, rules: answer.rules };
      expect(rulesOf(proposed, major)[1]?.['ref']).toBe(answer.rules[1]?.id);
    },
  );

  it('but not for provider 3, which cannot set it: REFS_NOT_SUPPORTED', () => {
    for (const rule of rulesOf(answer, 3)) expect(rule).not.toHaveProperty('ref');
    expect(stackOf(answer, { provider: 3 }).findings).toEqual([
      expect.objectContaining({ code: 'REFS_NOT_SUPPORTED', severity: 'info' }),
    ]);
  });
});

describe('trap 0.7: logging of a skip rule left out never converges', () => {
  const skip = { action: 'skip', action_parameters: { ruleset: 'current' } };
  const said: Record<Major, unknown> = {
    3: [{ status: 'disabled' }],
    4: [{ enabled: false }],
    5: { enabled: false },
  };

  it.each(majors)(
    'so it is what the API has, or on if the rule is new, for provider %s',
    (major) => {
      const [saidOff] = rulesOf(live({ ...skip, logging: { enabled: false } }), major);
      expect(saidOff?.['logging']).toEqual(said[major]);
      const [created] = rulesOf(
        { name: 'default', rules: [{ ...skip, expression: 'true' }] },
        major,
      );
      const on = { 3: [{ status: 'enabled' }], 4: [{ enabled: true }], 5: { enabled: true } };
      expect(created?.['logging']).toEqual(on[major]);
    },
  );

  it.each(majors)('and on no other rule, unless the API has it, for provider %s', (major) => {
    const [without, withIt] = rulesOf(live({}, { logging: { enabled: false } }), major);
    expect(without).not.toHaveProperty('logging');
    expect(withIt?.['logging']).toEqual(said[major]);
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
    const told = stackOf(answer, { provider: major }).findings.filter(
      ({ code }) => code === 'FIELD_NOT_SUPPORTED',
    );
    const lost = [
      'rules[0].action_parameters.novelty',
      'rules[0].action_parameters.overrides.extra',
      'rules[0].action_parameters.overrides.rules[0].enabeld',
      // provider 3 has a field of that name, which is another one: it says what `enabled` does
      'rules[0].action_parameters.overrides.rules[0].status',
      'rules[0].surprise',
    ];
    expect(told.map(({ subject }) => subject).sort()).toEqual(lost);
    expect(new Set(told.map(({ severity }) => severity))).toEqual(new Set(['decision']));
  });
});

describe('trap 0.16: in a replacement string of JavaScript $$ means $', () => {
  it.each(['hcl', 'tfjson', 'cdktf'] as const)('so %s doubles the dollar for real', (format) => {
    expect(textOf(live({ expression: '${x}' }), { format })).toContain('"$${x}"');
    expect(textOf(live({ expression: '%{x}' }), { format })).toContain('"%%{x}"');
  });
});
