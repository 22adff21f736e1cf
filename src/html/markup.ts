import { printable } from '../core/printable';

/** HTML that was made by {@link markup}: nothing else can be put into a page unescaped. */
export class Markup {
  constructor(readonly html: string) {}
}

/** What can stand in a template: text, which is escaped, and markup, which is not. */
export type Part = string | number | Markup | readonly Markup[];

/**
 * A template of HTML. Text is taken as hostile: characters that drive or hide are made visible, and
 * none can end an attribute or begin an element. Attributes must stand in double quotes.
 *
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

/** Printable ASCII without the characters that HTML minds: nearly every text of a report. */
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

/** Nothing. */
export const NOTHING = new Markup('');
