import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type Ruleset } from '../../src/core/ruleset';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { compareZone, translateZone } from '../../src/translate/translate-zone';
import {
  bypass,
  KNOWN,
  MANAGED_RULESET,
  override,
  owasp,
  OWASP_RULESET,
  rule,
  SCORING,
  zone,
} from './support/old-zone';

const catalogue = builtInCatalogue();
const canonical = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');
const live = parseRuleset(JSON.parse(readFileSync(canonical, 'utf8'))).ruleset;
const id = KNOWN['100532'];
type Rule = { action?: string; expression?: string; enabled?: boolean; action_parameters?: object };
const ruleset = (...rules: Rule[]): Ruleset =>
  parseRuleset({
    name: 'default',
    rules: rules.map((one) => ({ action: 'execute', expression: 'true', enabled: true, ...one })),
  }).ruleset;
const managed = (overrides: object | undefined, more: Rule = {}): Rule => ({
  action_parameters: { id: MANAGED_RULESET, ...(overrides && { overrides }) },
  ...more,
});
const core = (overrides: object): Rule => ({ action_parameters: { id: OWASP_RULESET, overrides } });
const compared = (settings: object, against: Ruleset) =>
  compareZone(zone(settings), against, { catalogue });

describe('the old OWASP package against a ruleset of the service', () => {
  const against = (sensitivity: string, action: string, overrides: object) => {
    const { parity } = compared(
      { packages: [owasp(sensitivity, action)] },
      ruleset(core(overrides)),
    );
    return parity.settings.map(({ status, to }) => [status, to]);
  };
  const level = (...off: number[]) =>
    off.map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));

  it('takes for on what is below the levels that are switched off, as the service proposes it', () => {
    const rules = [{ id: SCORING, action: 'log', score_threshold: 25 }];
    expect(against('medium', 'simulate', { categories: level(2, 3, 4), rules })).toEqual([
      ['changed', 'paranoia level 1, score threshold 25'],
      ['kept', 'the scoring rule does log'],
    ]);
    expect(against('medium', 'block', { categories: level(3, 4), rules })).toEqual([
      ['changed', 'paranoia level 2, score threshold 25'],
      ['changed', 'the scoring rule does log'],
    ]);
    expect(against('high', 'block', { categories: level(4) })).toEqual([
      ['changed', 'paranoia level 3, score threshold 40'],
      ['kept', 'the scoring rule does block'],
    ]);
  });

  it('is lost where OWASP is not deployed, and changed where it runs although it was off', () => {
    const none = compared({ packages: [owasp('high')] }, ruleset(managed(undefined)));
    expect(none.parity.settings.map(({ status }) => status)).toEqual(['lost', 'lost']);
    expect(against('off', 'block', { categories: level(4) })[0]).toEqual([
      'changed',
      'Cloudflare OWASP Core Ruleset runs',
    ]);
  });
});

describe('exceptions and overrides against a ruleset of the service', () => {
  const firewallRules = [bypass({ from: 'f', expression: ' (ip.src eq 192.0.2.1) ' })];
  const skip = (action_parameters: object, more: Rule = {}): Rule => ({
    action: 'skip',
    expression: 'ip.src eq 192.0.2.1',
    action_parameters,
    ...more,
  });

  it.each([
    ['everything', skip({ ruleset: 'current' }), 'kept'],
    ['both rulesets', skip({ rulesets: [MANAGED_RULESET, OWASP_RULESET] }), 'kept'],
    ['the one ruleset that runs', skip({ rulesets: [MANAGED_RULESET] }), 'kept'],
    ['a ruleset that does not run', skip({ rulesets: [OWASP_RULESET] }), 'lost'],
    ['one rule', skip({ rules: { [MANAGED_RULESET]: [id] } }), 'lost'],
    ['everything, but disabled', skip({ ruleset: 'current' }, { enabled: false }), 'changed'],
    [
      'everything for others',
      skip({ ruleset: 'current' }, { expression: 'ip.src eq 192.0.2.2' }),
      'lost',
    ],
  ])('a bypass meets an exception from %s', (_, exception, status) => {
    const { parity } = compared({ firewallRules }, ruleset(exception, managed(undefined)));
    expect(parity.settings[0]!.status).toBe(status);
  });

  it('a URI override is kept by the very rules that are made of it', () => {
    const settings = zone({
      overrides: [override({ rules: { '100532': 'disable', '100533': 'block' } })],
    });
    const ours = translateZone(settings, { catalogue }).ruleset;
    const { parity } = compareZone(settings, ours, { catalogue });
    expect(parity.settings.map(({ status }) => status)).toEqual(['kept', 'kept']);
    expect(parity.summary.withoutOrigin).toBe(0);
    const without = compareZone(settings, { ...ours, rules: ours.rules.slice(2) }, { catalogue });
    expect(without.parity.settings.map(({ status }) => status)).toEqual(['lost', 'lost']);
  });
});

describe('a live ruleset of seven awkward rules', () => {
  it('is traced back as far as old settings explain it', () => {
    const rules = [rule('100532', 'block'), rule('100533', 'challenge')];
    const { parity } = compared({ packages: [owasp('medium', 'simulate')], rules }, live);
    expect(parity.rules).toHaveLength(7);
    expect(parity.rules.map(({ action }) => action)).toEqual([
      'skip',
      'skip',
      'skip',
      'execute',
      'execute',
      'execute',
      'execute',
    ]);
    expect(parity.rules[3]!.overrides.map(({ id: one, from }) => [one, from.length])).toEqual([
      ['wordpress', 0],
      ['drupal', 0],
      ['5de7edfa648c4d6891dc3e7f84534ffa', 0],
      ['e3a567afc347477d9702d9047e97d760', 0],
      [KNOWN['100532'], 1],
      [KNOWN['100533'], 1],
    ]);
    expect(parity.rules[4]!.from).toHaveLength(2);
    expect(parity.rules[5]).toMatchObject({
      enabled: false,
      rulesetName: 'Cloudflare Exposed Credentials Check',
      from: [],
    });
    expect(parity.rules[5]).not.toHaveProperty('because');
  });
});
