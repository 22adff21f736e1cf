import fc from 'fast-check';
import { readLegacySettings } from '../../src/translate/source/settings-from-api';
import { readMigrationConfig } from '../../src/cloudflare/waf-migration';
import equivalents from '../../src/emulator/catalogue/equivalents.json';
import packages from '../../src/emulator/catalogue/legacy-packages.json';
import { holds } from './support/evaluate';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type LegacySettings } from '../../src/translate/legacy-settings';
import { type Ruleset } from '../../src/core/ruleset';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { type SettingRow } from '../../src/translate/compare/parity';
import { compareZone, translateZone } from '../../src/translate/translate-zone';
import { clientOverEmulator } from '../support/over-emulator';
import { expressionMatches, type ModelRequest } from './support/models';

// The converter of the emulator and the translator were written apart, from the same specification.
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const successors: Readonly<Record<string, string[]>> = equivalents;
interface OldRules {
  id: string;
  groups: { id: string; rules: { id: string; kind?: string }[] }[];
}
const old: OldRules[] = packages.packages;
const [owasp, cloudflare] = old;
const groups = old.flatMap(({ id, groups: all }) =>
  all.map((group) => ({ ...group, packageId: id })),
);
const packageOf = (groupId: string) => groups.find(({ id }) => id === groupId)!.packageId;
const rulesOf = (one: OldRules | undefined) => one!.groups.flatMap(({ rules }) => rules);
const groupOf = (ruleId: string) =>
  groups.find(({ rules }) => rules.some(({ id }) => id === ruleId))!.id;
const builtIn = builtInCatalogue();
const nuke = builtIn.legacyRules.get('100005')!;
/** The converter knows one successor of this rule, and sources state two. */
const catalogue = {
  ...builtIn,
  legacyRules: new Map([
    ...builtIn.legacyRules,
    [
      nuke.id,
      { ...nuke, successors: nuke.successors.filter(({ id }) => id === successors[nuke.id]![0]) },
    ],
  ]),
};

const denied = rulesOf(cloudflare).filter(({ kind }) => kind === undefined);
const settings = fc.record({
  sensitivity: fc.constantFrom('high', 'medium', 'low', 'default', 'off'),
  action_mode: fc.constantFrom('simulate', 'block', 'challenge'),
  groups: fc.subarray(
    groups.map(({ id }) => id),
    { maxLength: 3 },
  ),
  rules: fc.dictionary(
    fc.constantFrom(...denied.map(({ id }) => id)),
    fc.constantFrom('disable', 'simulate', 'block', 'challenge', 'default'),
    { maxKeys: 12 },
  ),
  owaspRules: fc.subarray(
    rulesOf(owasp).map(({ id }) => id),
    { maxLength: 3 },
  ),
});
const url = fc
  .tuple(
    fc.constantFrom('', 'http://', 'https://'),
    fc.constantFrom('a.example.com', 'b.example.com', '*.example.com', '*a.example.com'),
    fc.constantFrom('/', '/*', '/shop/*', '/shop/cart', '*/x'),
  )
  .map((parts) => parts.join(''));
const pageRules = fc.uniqueArray(
  fc.record({
    url,
    priority: fc.integer({ min: 1, max: 9 }),
    active: fc.boolean(),
    action: fc.constantFrom(
      { id: 'waf', value: 'off' },
      { id: 'waf', value: 'on' },
      { id: 'disable_security' },
      { id: 'ssl', value: 'strict' },
    ),
  }),
  { maxLength: 4, selector: ({ priority }) => priority },
);
const bypasses = fc.array(
  fc.record({
    expression: fc.constantFrom('ip.src eq 192.0.2.1', '(http.host eq "a" or ssl)', 'ssl'),
    paused: fc.constantFrom('nothing', 'the rule', 'its filter'),
    products: fc.constantFrom(['waf'], ['waf', 'bic'], ['bic']),
  }),
  { maxLength: 3 },
);
const anyZone = fc.record({
  settings,
  pageRules,
  bypasses,
  enabled: fc.boolean(),
});
type DrawnZone = typeof anyZone extends fc.Arbitrary<infer T> ? T : never;
const zoneId = (index: number) => index.toString(16).padStart(32, '0');

/** A zone as the emulator's scenario has it. */
function seedOf(
  { settings: set, pageRules: pages, bypasses: rules, enabled }: DrawnZone,
  at: number,
) {
  const id = (prefix: string, index: number) => `${prefix}${String(index).padStart(31, '0')}`;
  return {
    id: zoneId(at),
    name: `zone-${at}.example.com`,
    plan: 'enterprise',
    oldWaf: {
      enabled,
      settings: {
        packages: {
          [owasp!.id]: { sensitivity: set.sensitivity, action_mode: set.action_mode },
        },
        groups: Object.fromEntries(set.groups.map((group) => [group, 'off'])),
        rules: {
          ...set.rules,
          ...Object.fromEntries(set.owaspRules.map((rule) => [rule, 'off'])),
        },
      },
    },
    filters: rules.map(({ expression, paused }, index) => ({
      ...{ id: id('f', index), expression, paused: paused === 'its filter' },
    })),
    firewallRules: rules.map(({ paused, products }, index) => ({
      ...{ id: id('e', index), filter: id('f', index), action: 'bypass', products },
      paused: paused === 'the rule',
    })),
    pageRules: pages.map(({ url: value, priority, active, action }, index) => ({
      id: id('a', index),
      targets: [{ target: 'url', constraint: { operator: 'matches', value } }],
      actions: [action],
      priority,
      status: active ? 'active' : 'disabled',
    })),
  };
}

const requests: ModelRequest[] = [true, false].flatMap((ssl) =>
  ['a.example.com', 'b.example.com', 'c.example.com', 'xa.example.com', 'other.org'].flatMap(
    (host) =>
      ['/', '/shop/', '/shop/cart', '/y/x', '/z'].flatMap((path) =>
        ['', 'q=1'].map((query) => ({ ssl, host, path, query })),
      ),
  ),
);

/** What a ruleset does to a request that no firewall rule is about: a model of the ruleset engine. */
function does(
  { rules }: Ruleset,
  applies: (expression: string) => boolean,
  verbatim: ReadonlySet<string>,
): string[] {
  const run: string[] = [];
  for (const { action, expression, enabled, fields } of rules) {
    if (enabled === false || verbatim.has(expression) || !applies(expression)) continue;
    const { id, ruleset, overrides = {} } = fields['action_parameters'] as Record<string, any>;
    if (action === 'skip' && ruleset === 'current') return run;
    if (id === MANAGED) run.push(`managed ${gistOf(overrides.rules)}`);
    if (id === OWASP) {
      const off = (overrides.categories ?? []).filter((one: any) => one.enabled === false);
      const [scoring] = overrides.rules ?? [];
      run.push(`owasp ${4 - off.length} ${scoring.action} ${scoring.score_threshold}`);
    }
  }
  return run.sort();
}

/** Overrides apart from their order; what a rule that is off would do does not count. */
function gistOf(rules: { id: string; action?: string; enabled?: boolean }[] = []): string {
  return rules
    .map(({ id, action, enabled }) => `${id} ${enabled === false ? 'off' : (action ?? '')}`)
    .sort()
    .join(', ');
}

const fieldsOf =
  ({ ssl, host, path, query }: ModelRequest) =>
  (name: string) =>
    name === 'ssl'
      ? ssl
      : name === 'http.host'
        ? host
        : name === 'http.request.uri'
          ? path + (query === '' ? '' : `?${query}`)
          : undefined;

/** Of the settings, those that the specification says are lost; counted apart from the translator. */
function lostBySpecification({ settings: set }: DrawnZone): string[] {
  const owaspOn = set.sensitivity !== 'off';
  // three rules could never be switched off, not with their group either
  const neverOff = ['WP0025B', '100043A', '100030'];
  const isOff = (ruleId: string) =>
    set.groups.includes(groupOf(ruleId)) && !neverOff.includes(ruleId);
  const known = (ruleId: string) => ruleId in successors;
  const rules = Object.entries(set.rules).flatMap(([id, mode]) =>
    mode === 'default' || isOff(id) || known(id) || (mode === 'disable' && neverOff.includes(id))
      ? []
      : [`rules/${id}`],
  );
  const lostGroups = set.groups.filter((id) =>
    packageOf(id) === owasp!.id
      ? owaspOn
      : !groups.find((group) => group.id === id)!.rules.some((rule) => known(rule.id)),
  );
  return [
    ...rules,
    ...lostGroups.map((id) => `groups/${id}`),
    ...(owaspOn ? set.owaspRules.map((id) => `rules/${id}`) : []),
  ].sort();
}
const tail = ({ from }: SettingRow) => from.split('/').slice(-2).join('/');

describe('on random old configurations, the converter of the emulator and the translator', () => {
  const seed = Number(process.env['FC_SEED'] ?? Date.now());
  const drawn = fc.sample(anyZone, { numRuns: 60, seed });
  const read: { zone: DrawnZone; old: LegacySettings; config: Ruleset }[] = [];

  beforeAll(async () => {
    const scenario = { name: 'any', zones: drawn.map(seedOf) };
    const [client] = await clientOverEmulator({ scenario });
    for (const [index, zone] of drawn.entries()) {
      const { zones, findings } = await readLegacySettings(client, zoneId(index));
      expect(findings).toEqual([]);
      const { result } = await readMigrationConfig(client, zoneId(index));
      read.push({ zone, old: zones[0]!, config: parseRuleset(result).ruleset });
    }
  });

  it('do the same to every request', () => {
    let runs = 0;
    for (const { zone, old, config } of read) {
      const ours = translateZone(old, { catalogue }).ruleset;
      const verbatim = new Set(zone.bypasses.map(({ expression }) => expression));
      for (const request of requests) {
        const proposed = does(config, (one) => holds(one, fieldsOf(request)), verbatim);
        const translated = does(ours, (one) => expressionMatches(one, request), verbatim);
        expect({ seed, request, zone, run: translated }).toEqual({
          seed,
          request,
          zone,
          run: proposed,
        });
        runs += proposed.length;
      }
    }
    expect(runs).toBeGreaterThan(1000);
  });

  it('make the same exceptions of firewall rules', () => {
    for (const { zone, old, config } of read) {
      const made = ({ rules }: Ruleset) =>
        [
          ...new Set(
            rules
              .filter(({ enabled, action }) => enabled !== false && action === 'skip')
              .map(({ expression }) => expression)
              .filter((one) => zone.bypasses.some(({ expression }) => expression === one)),
          ),
        ].sort();
      // a zone whose WAF is off for all requests has nothing to except from
      if (zone.enabled) {
        expect(made(translateZone(old, { catalogue }).ruleset)).toEqual(made(config));
      }
    }
  });

  it('differ in exactly what the specification says is lost', () => {
    const counts = { lost: 0, kept: 0 };
    for (const { zone, old, config } of read) {
      if (!zone.enabled) continue;
      const { settings: rows } = compareZone(old, config, { catalogue }).parity;
      const lost = rows.filter(({ status }) => status === 'lost');
      expect({ seed, zone, lost: lost.map(tail).sort() }).toEqual({
        seed,
        zone,
        lost: lostBySpecification(zone),
      });
      const ours = translateZone(old, { catalogue }).parity.settings;
      expect(rows.map(({ from, attribute, status }) => [from, attribute, status])).toEqual(
        ours.map(({ from, attribute, status }) => [from, attribute, status]),
      );
      counts.lost += lost.length;
      counts.kept += rows.filter(({ status }) => status === 'kept').length;
    }
    expect(Math.min(counts.lost, counts.kept)).toBeGreaterThan(20);
  });
});
