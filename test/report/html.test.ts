import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { hostileTexts } from '../support/browser/hostile';
import { randomZone } from '../translate/support/random-zone';
import { htmlDocument, markup, Markup } from '../../src/html/document';
import { overview, renderReportHtml } from '../../src/report/formats/html';
import { newRules } from '../../src/report/formats/html-zone';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { translateZone } from '../../src/translate/translate-zone';

const catalogue = builtInCatalogue();

describe('a template of HTML', () => {
  it('escapes text and keeps markup', () => {
    const inner = markup`<b title="${'"&<>\''}">${7}</b>`;
    expect(inner.html).toBe('<b title="&quot;&amp;&lt;&gt;&#39;">7</b>');
    expect(markup`<p>${inner}${[inner, new Markup('!')]}</p>`.html).toBe(
      `<p>${inner.html}${inner.html}!</p>`,
    );
  });

  it('lets no text begin or end an element, an attribute or a comment', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...hostileTexts)), (text) => {
        expect(markup`${text}`.html).toMatch(/^(?:[^<>"'&]|&(?:amp|lt|gt|quot|#39);)*$/u);
      }),
    );
  });

  it('makes visible what would drive or hide', () => {
    expect(markup`${'a\u0000\u202e\ud800'}`.html).toBe('a\\u{0}\\u{202e}\\u{d800}');
  });
});

describe('the HTML report', () => {
  const htmlOf = (zones: Parameters<typeof renderReportHtml>[0]['zones']) =>
    renderReportHtml({ zones });
  const policyOf = (html: string) =>
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? '';
  const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

  it('allows its own script and style by their hashes, and nothing else', () => {
    const html = htmlOf([]);
    const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? '';
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    expect(policyOf(html).split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${digest(script)}`,
      `style-src ${digest(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function/);
  });

  it('is the same for the same input, byte for byte', () => {
    const [zone] = fc.sample(randomZone, { numRuns: 1, seed: 7 });
    const once = { ...translateZone(zone!, { catalogue }), against: 'x' };
    expect(htmlOf([once])).toBe(htmlOf([structuredClone(once)]));
  });

  it('allows no script where there is none', () => {
    const { html } = htmlDocument({ title: 'T', skip: 'S', content: markup`<p>C</p>` });
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    expect(policyOf(html).split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${digest(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it.each([
    [12, '<code>s11</code></li>'],
    [13, '<code>s11</code> and 1 more</li>'],
  ])('names twelve settings of a rule: of %i, the end is %s', (count, end) => {
    const from = Array.from({ length: count }, (_, at) => `s${at}`);
    const rule = { position: 0, action: 'block', expression: 'true', enabled: true };
    expect(newRules([{ ...rule, from, overrides: [] }]).html).toContain(end);
  });

  it('lists first the zones that lose most, then those that change most', () => {
    const numbers = { settings: 9, kept: 0, withoutEffect: 0, rules: 0, withoutOrigin: 0 };
    const zoneOf = (name: string, lost: number, changed: number) => ({
      zoneId: name,
      name,
      against: 'x',
      findings: [],
      parity: { zoneId: name, settings: [], rules: [], summary: { ...numbers, lost, changed } },
    });
    const { html } = overview([
      zoneOf('c', 1, 3),
      zoneOf('d', 0, 9),
      zoneOf('a', 2, 1),
      zoneOf('b', 1, 4),
    ]);
    expect(html.match(/(?<=">)[a-d](?=<\/a>)/g)).toEqual(['a', 'b', 'c', 'd']);
  });
});

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
