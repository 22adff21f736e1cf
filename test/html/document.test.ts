import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { htmlDocument, markup, Markup } from '../../src/html/document';
import { hostileTexts } from '../support/browser/hostile';

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

it('a page allows its own script and style by their hashes, and nothing else', () => {
  const { html } = htmlDocument('T', markup`<p>C</p>`);
  const digest = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1];
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1];
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1];
  expect(policy?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function/);
  expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<style'));
});
