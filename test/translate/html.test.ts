import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { renderReportHtml } from '../../src/translate/formats/html';
import { markup, Markup } from '../../src/translate/formats/html/markup';
import { translateZone } from '../../src/translate/translate-zone';
import { hostileTexts } from '../support/browser/hostile';
import { randomZone } from './support/random-zone';

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
});
