import fc from 'fast-check';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { renderReportHtml } from '../../src/report/formats/html';
import { translateZone } from '../../src/translate/translate-zone';
import { randomZone } from './support/random-zone';

const catalogue = builtInCatalogue();

describe('the HTML report', () => {
  it('is one file: it names no address, and the policy stands before everything that could load', () => {
    fc.assert(
      fc.property(fc.array(randomZone, { maxLength: 3 }), (zones) => {
        const html = renderReportHtml({
          zones: zones.map((zone) => ({ ...translateZone(zone, { catalogue }), against: 'x' })),
        });
        const tags = html.match(/<(?!\/|!)[^>]*>/g) ?? [];
        expect(
          tags.filter((tag) => /\s(?:src|srcset|style|on\w+|action|data)=/i.test(tag)),
        ).toEqual([]);
        const links = tags.flatMap((tag) => /\shref="([^"]*)"/.exec(tag)?.[1] ?? []);
        expect(links.filter((link) => !/^#[a-z0-9-]+$/.test(link))).toEqual([]);
        expect(html.match(/<script/g)).toHaveLength(1);
        expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<style'));
      }),
      { numRuns: 40 },
    );
  });
});
