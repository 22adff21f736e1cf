import { translateZone } from '../../src/translate/translate-zone';
import { expectGolden, otherGoldenFiles } from '../generate/support/golden';
import { ZONE, zone, owasp } from './support/legacy-zone';
import { smallCatalogue } from './support/small-catalogue';
import { zoneCases } from './support/zone-cases';

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
    const { managedIds, ...settings } = { packages: [owasp('off')], ...zoneCases[name]! };
    const { zoneId, ruleset, parity, findings } = translateZone(zone(settings), {
      catalogue: smallCatalogue,
      ...(managedIds && { managedIds: new Set(managedIds) }),
    });
    const { rules, ...head } = ruleset;
    expect([zoneId, head]).toEqual([
      ZONE,
      { name: 'default', kind: 'zone', phase: 'http_request_firewall_managed', fields: {} },
    ]);
    const { summary, settings: rows, rules: origins } = parity;
    const text = inLines({ summary, rules, rows, origins, findings });
    expectGolden('translate/zones', fileOf(name), text);
  });

  it('has no other file', () => {
    const names = Object.keys(zoneCases).map(fileOf);
    expect(otherGoldenFiles('translate/zones', names)).toEqual([]);
  });
});
