import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type LegacySettings } from '../../src/translate/legacy-settings';
import { type Ruleset } from '../../src/core/ruleset';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { compareZone } from '../../src/translate/translate-zone';
import {
  bypass,
  CLOUDFLARE,
  DRUPAL,
  group,
  GROUP,
  KNOWN,
  MANAGED_RULESET,
  override,
  owasp,
  pageRule,
  row,
  rule,
  zone,
} from './support/old-zone';

const catalogue = builtInCatalogue();
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
const compared = (settings: object, against: Ruleset) =>
  compareZone(zone(settings), against, { catalogue });
const ruleRow = (mode: string, overrides: object | undefined, more?: Rule) =>
  row(
    compared({ rules: [rule('100532', mode)] }, ruleset(managed(overrides, more))),
    'cloudflare_waf_rule.r_100532.mode',
  );

describe('an old rule against a ruleset of the service', () => {
  it.each([
    ['disable', { enabled: false }, 'kept'],
    ['disable', { enabled: false, action: 'log' }, 'kept'],
    ['disable', { enabled: true }, 'changed'],
    ['disable', { action: 'log' }, 'changed'],
    ['simulate', { action: 'log' }, 'kept'],
    ['simulate', { action: 'log', enabled: true }, 'kept'],
    ['simulate', { action: 'log', enabled: false }, 'changed'],
    ['simulate', { action: 'block' }, 'changed'],
    ['simulate', { enabled: true }, 'changed'],
    ['block', { action: 'block', enabled: true }, 'kept'],
    ['challenge', { action: 'challenge', enabled: true }, 'kept'],
    ['challenge', { action: 'managed_challenge' }, 'changed'],
    ['challenge', { action: 'js_challenge' }, 'changed'],
  ])('that says %s and meets %j is %s', (mode, entry, status) => {
    expect(ruleRow(mode, { rules: [{ id, ...entry }] })).toMatchObject({ status, rules: [0] });
  });

  it('is lost without an override, and says what it knows of categories', () => {
    expect(ruleRow('disable', undefined)).toMatchObject({
      status: 'lost',
      why: expect.stringContaining(id) as string,
    });
    const categories = { categories: [{ category: 'wordpress', enabled: false }] };
    expect(ruleRow('disable', categories)).toMatchObject({
      status: 'lost',
      why: expect.stringContaining('categories') as string,
    });
  });

  it('is met by an override of the whole ruleset, unless a category may speak for it', () => {
    expect(ruleRow('simulate', { action: 'log' }).status).toBe('kept');
    expect(ruleRow('disable', { enabled: false }).status).toBe('kept');
    expect(
      ruleRow('simulate', { action: 'log', categories: [{ category: 'x', enabled: true }] }).status,
    ).toBe('lost');
  });

  it('is lost where the ruleset is not deployed, or switched off', () => {
    expect(
      ruleRow('block', { rules: [{ id, action: 'block' }] }, { enabled: false }),
    ).toMatchObject({ status: 'lost', to: expect.stringContaining('no rule runs') as string });
  });

  it('is looked for in the rule for all requests, not in one for some', () => {
    const some = managed({ rules: [{ id, enabled: false }] }, { expression: 'http.host eq "a"' });
    const { parity } = compared(
      { rules: [rule('100532', 'disable')] },
      ruleset(some, managed(undefined)),
    );
    expect(parity.settings[0]!.status).toBe('lost');
  });

  it('of which sources state several new rules is told by the one that is overridden', () => {
    const settings = { rules: [rule('100005', 'disable')] };
    const full = 'e35c9a670b864a3ba0203ffb1bc977d1';
    const told = row(
      compared(settings, ruleset(managed({ rules: [{ id: full, enabled: false }] }))),
      'cloudflare_waf_rule.r_100005.mode',
    );
    expect(told).toMatchObject({
      status: 'kept',
      why: expect.stringContaining('not known for sure') as string,
    });
    const other = row(
      compared(
        settings,
        ruleset(managed({ rules: [{ id: `${'0'.repeat(24)}ae5baf61`, action: 'log' }] })),
      ),
      'cloudflare_waf_rule.r_100005.mode',
    );
    expect(other.status).toBe('changed');
  });

  it.each(['disable', 'default', 'block'])(
    'of a URI override that says %s is not told by an override for all requests',
    (mode) => {
      const off = { id: `${'0'.repeat(24)}0550c529`, enabled: false };
      const settings = { overrides: [override({ rules: { '100016': mode } })] };
      const { parity } = compared(settings, ruleset(managed({ rules: [off] })));
      expect(parity.settings[0]).toMatchObject({
        status: 'lost',
        why: expect.stringContaining('may stand for it') as string,
      });
      expect(parity.summary.withoutOrigin).toBe(1);
    },
  );

  it('without a known new rule may stand behind an override without a known origin', () => {
    const stranger = 'a'.repeat(32);
    const { parity } = compared(
      { rules: [rule('100000', 'disable')] },
      ruleset(managed({ rules: [{ id: stranger, enabled: false }] })),
    );
    expect(parity.settings[0]).toMatchObject({
      status: 'lost',
      why: expect.stringContaining('the one override without a known origin') as string,
    });
    expect(parity.rules[0]!.overrides).toEqual([
      { kind: 'rule', id: stranger, enabled: false, from: [] },
    ]);
    expect(parity.summary.withoutOrigin).toBe(1);
  });
});

describe('an override without a known origin', () => {
  const stranger = managed({ rules: [{ id: 'a'.repeat(32), enabled: false }] });
  const unknown = {
    rules: [rule('100000', 'disable')],
    groups: [group(DRUPAL, 'maybe')],
    overrides: [override({ rules: { '100000': 'disable' } })],
    packages: [owasp('maybe')],
    pageRules: [pageRule({ target: 'a.b/x|a.b/y', waf: 'off' })],
    firewallRules: [bypass({ expression: '' })],
    wafSwitch: { from: 'settings', value: 'maybe' },
  };

  it('may stand for a rule, also of a group or an override, and for nothing else', () => {
    const { settings } = compared(unknown, ruleset(stranger)).parity;
    const standing = settings.filter(({ why = '' }) => why.includes('may stand for it'));
    expect(new Set(standing.map(({ kind }) => kind))).toEqual(
      new Set(['group', 'rule', 'override']),
    );
    expect(settings.filter(({ status }) => status === 'lost').length).toBeGreaterThan(
      standing.length,
    );
  });
});

describe('an old group against a ruleset of the service', () => {
  const known: LegacySettings['known'] = {
    packages: [],
    groups: [{ id: GROUP, name: 'Mine', packageId: CLOUDFLARE, rulesCount: 3 }],
    rules: Object.keys(KNOWN).map((one) => ({
      id: one,
      groupId: GROUP,
      groupName: 'Mine',
      packageId: CLOUDFLARE,
    })),
  };
  it.each([
    [3, 'kept'],
    [2, 'changed'],
    [0, 'lost'],
  ])('of which %i of 3 rules are off is %s', (count, status) => {
    const off = Object.values(KNOWN)
      .slice(0, count)
      .map((one) => ({ id: one, enabled: false }));
    const { parity } = compared(
      { groups: [group(GROUP, 'off')], known },
      ruleset(managed({ rules: [...off, { id: 'a'.repeat(32), enabled: false }] })),
    );
    expect(parity.settings[0]!.status).toBe(status);
  });
});
