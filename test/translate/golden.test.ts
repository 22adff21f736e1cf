import { compareZone, translateZone } from '../../src/translate/translate-zone';
import { expectGolden, goldenFiles } from '../generate/support/golden';
import { comparisonCases } from './support/comparison-cases';
import { ZONE, zone } from './support/old-zone';
import { smallCatalogue } from './support/small-catalogue';
import { zoneCases } from './support/zone-cases';

/** A copy, because what is looked up in a catalogue is kept with it: each case looks it up anew. */
const freshCatalogue = () => ({ ...smallCatalogue });

/** One line for each entry of a list, so that a change shows as what it is. */
const inLines = (parts: object): string =>
  `{\n${Object.entries(parts)
    .map(([key, value]) => {
      if (!Array.isArray(value) || value.length === 0) return `"${key}": ${JSON.stringify(value)}`;
      return `"${key}": [\n${value.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]`;
    })
    .join(',\n')}\n}\n`;
const fileOf = (name: string): string => `${name.replace(/\W+/g, '-')}.json`;

describe('what becomes of the settings of a zone', () => {
  it.each(Object.keys(zoneCases))('with %s', (name) => {
    const { settings, managedIds } = zoneCases[name]!;
    const known = managedIds && { managedIds: new Set(managedIds) };
    const { zoneId, ruleset, parity, findings } = translateZone(zone(settings), {
      catalogue: freshCatalogue(),
      ...known,
    });
    const { rules, ...head } = ruleset;
    expect([zoneId, head]).toEqual([
      ZONE,
      { name: 'default', kind: 'zone', phase: 'http_request_firewall_managed', fields: {} },
    ]);
    const { summary, settings: rows, rules: origins } = parity;
    expectGolden(
      'translate/zones',
      fileOf(name),
      inLines({ summary, rules, rows, origins, findings }),
    );
  });

  it('has no other file', () => {
    expect(goldenFiles('translate/zones')).toEqual(Object.keys(zoneCases).map(fileOf).sort());
  });
});

describe('how old settings compare with a ruleset that somebody else made', () => {
  it.each(Object.keys(comparisonCases))('with %s', (name) => {
    const { settings, ruleset } = comparisonCases[name]!;
    const catalogue = freshCatalogue();
    const { zoneId, parity, findings } = compareZone(zone(settings), ruleset, { catalogue });
    const { summary, settings: rows, rules: origins } = parity;
    expect(zoneId).toBe(ZONE);
    expectGolden(
      'translate/comparisons',
      fileOf(name),
      inLines({ summary, rows, origins, findings }),
    );
  });

  it('has no other file', () => {
    expect(goldenFiles('translate/comparisons')).toEqual(
      Object.keys(comparisonCases).map(fileOf).sort(),
    );
  });
});
