import { createHash } from 'node:crypto';
import { printable } from '../core/printable';
import { script } from './script';
import { style } from './style';

/** One whole HTML document that needs nothing beside itself: no network, no inline attribute. */
export function htmlDocument(title: string, content: Markup): Markup {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="generator" content="cf-waf-migrate">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the details</a>
${content}<script>${new Markup(script)}</script>
</body>
</html>
`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** HTML from {@link markup}: nothing else can enter a page unescaped. */
export class Markup {
  constructor(readonly html: string) {}
}

/** The parts of a template: text, which is escaped, and markup, which is not. */
export type Part = string | number | Markup | readonly Markup[];

/**
 * A template of HTML. Text is hostile: control characters are made visible, and no text can end an attribute or
 * begin an element. Attributes must have double quotes.
 * @example markup`<b title="${name}">${name}</b>`.html
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part instanceof Markup) return part.html;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  return part.map(({ html }) => html).join('');
}

/** Printable ASCII without the special characters of HTML: nearly every text of a report. */
const PLAIN = /^[ !#-%(-;=?-~]*$/;

function escapeHtml(text: string): string {
  if (PLAIN.test(text)) return text;
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

export const NOTHING = new Markup('');
