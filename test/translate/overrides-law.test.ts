import fc from 'fast-check';
import { type Finding } from '../../src/core/finding';
import { type LegacyOverride, type LegacySettings } from '../../src/translate/legacy-settings';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { translateZone } from '../../src/translate/translate-zone';
import { type ModelRequest, oldMatches } from './support/old-matcher';
import { newDoings, oldDoing } from './support/old-waf-model';
import {
  CLOUDFLARE,
  group,
  KNOWN,
  MANAGED_RULESET,
  override,
  owasp,
  rule,
  zone,
} from './support/old-zone';

const catalogue = builtInCatalogue();
const oldIds = Object.keys(KNOWN) as (keyof typeof KNOWN)[];
/** Two rules are in the first group, one is in the second. */
const groupOf = { '100532': '1'.repeat(32), '100533': '1'.repeat(32), '100015': '2'.repeat(32) };
const groupIds = [...new Set(Object.values(groupOf))];
const known: LegacySettings['known'] = {
  packages: [],
  groups: groupIds.map((id) => ({
    id,
    name: `group ${id}`,
    packageId: CLOUDFLARE,
    rulesCount: Object.values(groupOf).filter((one) => one === id).length,
  })),
  rules: oldIds.map((id) => ({
    id,
    groupId: groupOf[id],
    groupName: undefined,
    packageId: CLOUDFLARE,
  })),
};

const mode = fc.constantFrom('default', 'disable', 'simulate', 'block', 'challenge');
const some = <V>(keys: readonly string[], value: fc.Arbitrary<V>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 2 })
    .map((entries) => Object.fromEntries(entries) as Record<string, V>);
const url = fc.constantFrom(
  ...['a.b/*', '*/x*', 'a.b/x', '*.b/x/y', '*', '*/*y', 'https://a.b/*', 'c.b/*', 'a.b/x/*'],
);
const oldOverride = fc.record({
  urls: fc.array(url, { minLength: 1, maxLength: 2 }),
  rules: some(oldIds, mode),
  groups: some(groupIds, fc.constantFrom('default', 'disable')),
  paused: fc.constantFrom(false, false, false, true),
});
const zones = fc
  .record({
    rules: some(oldIds, mode),
    groups: some(groupIds, fc.constantFrom('on', 'off')),
    overrides: fc.array(oldOverride, { maxLength: 4 }),
    priorities: fc.uniqueArray(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ rules, groups, overrides, priorities }) =>
    zone({
      packages: [owasp('off')],
      rules: Object.entries(rules).map(([id, value]) =>
        rule(id, value, { groupId: groupOf[id as '100532'] }),
      ),
      groups: Object.entries(groups).map(([id, value]) => group(id, value)),
      overrides: overrides.map((one, at): LegacyOverride =>
        override({ ...one, from: `o[${at}]`, id: `${at}`.repeat(32), priority: priorities[at]! }),
      ),
      known,
    }),
  );
const request: fc.Arbitrary<ModelRequest> = fc.record({
  ssl: fc.boolean(),
  host: fc.constantFrom('a.b', 'c.b', 'A.b', 'd'),
  path: fc.constantFrom('/', '/x', '/x/', '/x/y', '/y', '/xy'),
  query: fc.constantFrom('', 'y'),
});

/** The settings without the overrides of which a finding says that they are not carried. */
function withoutRefused(old: LegacySettings, findings: readonly Finding[]): LegacySettings {
  const refused = findings.filter(({ code }) => REFUSED.has(code));
  const from = new Set(refused.map(({ subject }) => subject));
  return { ...old, overrides: old.overrides.filter((one) => !from.has(one.from)) };
}
const REFUSED = new Set(['OVERRIDES_OVERLAP', 'PATTERN_UNSUPPORTED']);

describe('URI overrides', () => {
  it('do to every request what they did, through exactly one rule that runs the managed ruleset', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(zones, fc.array(request, { minLength: 4, maxLength: 8 }), (old, requests) => {
        const { ruleset, findings } = translateZone(old, { catalogue });
        const carried = withoutRefused(old, findings);
        for (const one of requests) {
          for (const id of oldIds) {
            const wanted = oldDoing(carried, id, groupOf[id], one);
            expect(newDoings(ruleset, MANAGED_RULESET, KNOWN[id], one)).toEqual([wanted]);
            seen.set(wanted, (seen.get(wanted) ?? 0) + 1);
          }
        }
      }),
      { numRuns: 400 },
    );
    for (const doing of ['off', 'default', 'does log', 'does block', 'does managed_challenge']) {
      // drawn at random: enough to be no accident, few enough for every seed
      expect(seen.get(doing)).toBeGreaterThan(3);
    }
  });

  it('are refused wherever two of them match one request', () => {
    let met = 0;
    fc.assert(
      fc.property(zones, request, (old, one) => {
        const { findings } = translateZone(old, { catalogue });
        const matching = withoutRefused(old, findings).overrides.filter(
          ({ paused, rules, groups, urls }) =>
            !paused &&
            Object.keys({ ...rules, ...groups }).length > 0 &&
            urls.some((pattern) => oldMatches(pattern, one, 'override')),
        );
        met += matching.length;
        expect(matching.length).toBeLessThan(2);
      }),
      { numRuns: 400 },
    );
    expect(met).toBeGreaterThan(10);
  });

  it('leave nothing of it unsaid: what they want is kept or changed, or a finding says why not', () => {
    fc.assert(
      fc.property(zones, (old) => {
        const { parity, findings } = translateZone(old, { catalogue });
        const lost = new Set(
          parity.settings.filter(({ status }) => status === 'lost').map(({ from }) => from),
        );
        const refused = findings.filter(({ code }) => REFUSED.has(code));
        expect([...lost].sort()).toEqual(refused.map(({ subject }) => subject).sort());
        expect(parity.summary.withoutOrigin).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
