import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseExpression } from '../../src/emulator/expression/parse';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type LegacySettings } from '../../src/translate/legacy-settings';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { MAX_EXPRESSION } from '../../src/ruleset/expressions';
import { compareZone, translateZone } from '../../src/translate/translate-zone';
import { randomZone, settingNames } from './support/random-zone';

const catalogue = builtInCatalogue();
const canonical = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');
const live = parseRuleset(JSON.parse(readFileSync(canonical, 'utf8'))).ruleset;
const translated = (old: LegacySettings) => translateZone(old, { catalogue });
const runs = { numRuns: 300 };

describe('for any old settings', () => {
  it('each setting is in exactly one row, with a reason where it is not kept', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(randomZone, (old) => {
        for (const { parity } of [translated(old), compareZone(old, live, { catalogue })]) {
          const { settings, summary } = parity;
          expect(settings.map(({ from, attribute }) => `${from}.${attribute}`).sort()).toEqual(
            settingNames(old),
          );
          expect(summary.kept + summary.changed + summary.lost + summary.withoutEffect).toBe(
            summary.settings,
          );
          for (const { status, why, to } of settings) {
            seen.set(status, (seen.get(status) ?? 0) + 1);
            if (status === 'lost' || status === 'without-effect') expect(why).toMatch(/./);
            if (status === 'kept' || status === 'changed') expect(to).toMatch(/./);
          }
        }
      }),
      runs,
    );
    for (const status of ['kept', 'changed', 'lost', 'without-effect'])
      expect(seen.get(status)).toBeGreaterThan(100);
  });

  it('the order of the input changes nothing', () => {
    const shuffled = <T>(all: readonly T[], seed: number) =>
      [...all]
        .map((one, at) => [Math.sin(seed + at), one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one);
    fc.assert(
      fc.property(randomZone, fc.nat(1000), (old, seed) => {
        const { known, packages, groups, rules, overrides, firewallRules, pageRules } = old;
        // what is known of one thing twice and differently has no order-free answer
        const other = {
          ...old,
          known,
          packages: shuffled(packages, seed),
          groups: shuffled(groups, seed),
          rules: shuffled(rules, seed),
          overrides: shuffled(overrides, seed),
          firewallRules: shuffled(firewallRules, seed),
          pageRules: shuffled(pageRules, seed),
        };
        expect(JSON.stringify(translated(other))).toBe(JSON.stringify(translated(old)));
      }),
      runs,
    );
  });

  it('the ruleset can be declared: short expressions that parse, unique refs, exceptions first', () => {
    fc.assert(
      fc.property(randomZone, (old) => {
        const { ruleset, findings } = translated(old);
        const declared = normaliseRuleset(ruleset).ruleset.rules;
        expect(declared.map(({ ref }) => ref)).toEqual(ruleset.rules.map(({ ref }) => ref));
        expect(declared.length === 0).toBe(findings.some(({ severity }) => severity === 'blocker'));
        const theirs = new Set(old.firewallRules.map(({ expression }) => expression));
        for (const { expression, description = '', action, ref } of declared) {
          expect(Buffer.byteLength(expression)).toBeLessThanOrEqual(MAX_EXPRESSION);
          expect(description).toBe(description.normalize('NFC').toWellFormed());
          expect(description).not.toMatch(/[\p{Cc}]/u);
          expect(ref).toMatch(/^[A-Za-z0-9_]{1,50}$/);
          expect(['skip', 'execute']).toContain(action);
          if (!theirs.has(expression)) expect(() => parseExpression(expression)).not.toThrow();
        }
        const actions = declared.map(({ action }) => action);
        expect(actions).toEqual([...actions].sort().reverse());
      }),
      runs,
    );
  });

  it('every rule and override that is new comes from a setting, or says why it is there', () => {
    fc.assert(
      fc.property(randomZone, (old) => {
        expect(translated(old).parity.summary.withoutOrigin).toBe(0);
      }),
      runs,
    );
  });

  it('every decision names a place that was read, or the zone', () => {
    fc.assert(
      fc.property(randomZone, (old) => {
        const places = [
          old.zoneId,
          'switch',
          'package[',
          'group[',
          'rule[',
          'override[',
          'firewall[',
          'page[',
        ];
        for (const { subject, message, remedy, code } of translated(old).findings) {
          expect(places.some((place) => subject.startsWith(place))).toBe(true);
          expect(message).not.toBe('');
          expect(remedy).not.toBe('');
          expect(code).toMatch(/^[A-Z_]+$/);
        }
      }),
      runs,
    );
  });
});
