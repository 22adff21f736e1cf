import { type Finding, hintLines, titleOf } from '../core/finding';
import { grouped } from '../core/printable';
import { htmlDocument, type Markup, markup, NOTHING, type Part } from './document';

/** What a colour means on every page: red, amber, green, grey, and blue for what is new or under way. */
export type Tone = 'lost' | 'changed' | 'kept' | 'none' | 'new';

/** A colour with the sign and the word that are always beside it. */
export interface Look {
  readonly tone: Tone;
  readonly sign: string;
  readonly word: string;
}

/** When a page was made, and by which version of the tool. */
export interface Made {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly version: string;
}

/** A whole page: what it is about, the answer, what the answer is based on, then the details. */
export function renderPage({
  title,
  answer,
  facts,
  body,
}: {
  readonly title: string;
  readonly answer: Pick<Look, 'tone'> & { readonly words: Part; readonly next: Part };
  readonly facts: readonly Part[];
  readonly body: Part;
}): string {
  const content = markup`<header>
<h1>${title}</h1>
<div class="answer ${answer.tone}"><p>${answer.words}</p><p>${answer.next}</p></div>
<ul class="facts">${facts.map((fact) => markup`<li>${fact}</li>`)}</ul>
</header>
<main id="main" tabindex="-1">
${body}</main>
`;
  return htmlDocument(title, content).html;
}

/** When and with what a page was made; nothing where that is unknown. */
export const madeFacts = (made: Made | undefined): Markup[] =>
  made === undefined ? [] : [markup`made ${time(made.at)} by cf-waf-migrate ${made.version}`];

/** A page without the time and version in it, to compare two pages. */
export const withoutMade = (page: string): string => page.replace(/<li>made \d[^<]*<\/li>/, '');

export const time = (at: string): string =>
  at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2 UTC');

export const badge = ({ tone, sign, word }: Look): Markup =>
  markup`<span class="badge ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`;

/** How many there are of each look, and what it means; below them their shares. */
export function tiles(
  all: readonly (Look & { readonly count: number; readonly meaning: string })[],
): Markup {
  const parts = all.map(
    ({ tone, sign, word, count, meaning }) =>
      markup`<li class="${count === 0 ? 'none' : tone}"><strong>${grouped(count)}</strong><b><span aria-hidden="true">${sign}</span> ${word}</b><span>${meaning}</span></li>`,
  );
  return markup`<ul class="tiles">${parts}</ul>${shareBar(all)}`;
}

/** A part of a bar; hollow: the weaker or opposite kind of its colour. */
export interface BarPart {
  readonly tone: Tone;
  readonly hollow?: boolean;
  readonly count: number;
}

/** Counts as one bar. Screen readers skip it, because its numbers are also written beside it. */
export function shareBar(
  parts: readonly BarPart[],
  total = parts.reduce((sum, { count }) => sum + count, 0),
): Markup {
  if (total === 0) return NOTHING;
  let left = 0;
  const rects = parts
    .filter(({ count }) => count > 0)
    .map((part) => {
      const width = (100 * part.count) / total;
      const rect = markup`<rect class="${classOf(part)}" x="${round(left)}" width="${round(width)}" height="4"/>`;
      left += width;
      return rect;
    });
  return markup`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">${rects}</svg>`;
}

const classOf = ({ tone, hollow = false }: BarPart): string => (hollow ? `${tone} hollow` : tone);
const round = (number: number): number => Number(number.toFixed(2));

/** Counts one below the other: what is counted, a bar, and the number in words. */
export function barList(
  bars: readonly (BarPart & { readonly label: Part; readonly note: string })[],
): Markup {
  const most = Math.max(...bars.map(({ count }) => count), 0);
  const items = bars.map(
    ({ label, note, ...part }) =>
      markup`<li><span>${label}</span>${shareBar([part], most)}<span class="note">${note}</span></li>
`,
  );
  return bars.length === 0
    ? NOTHING
    : markup`<ul class="bars">
${items}</ul>
`;
}

export const fold = (summary: Part, content: Part): Markup =>
  markup`<details><summary>${summary}</summary>
${content}</details>`;

/** A row of a table: the head of the row first. */
export interface Row {
  readonly tone?: Tone;
  readonly cells: readonly Part[];
}

/**
 * A table. The roles are explicit, because browsers drop the implied ones when narrow screens show a
 * table as cards.
 */
export function table({
  name,
  caption,
  head,
  rows,
}: {
  /** The class that lays it out; an overview is sorted by a click on its head. */
  readonly name: 'overview' | 'settings';
  /** For a screen reader. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}): Markup {
  const cells = head.map((words) => markup`<th scope="col" role="columnheader">${words}</th>`);
  const lines = rows.map(({ tone, cells: [first = '', ...rest] }) => {
    const others = rest.map((cell, index) =>
      cell === ''
        ? markup`<td role="cell"></td>`
        : markup`<td role="cell" data-label="${head[index + 1] ?? ''}"${typeof cell === 'number' ? markup` class="number"` : NOTHING}>${typeof cell === 'number' ? grouped(cell) : cell}</td>`,
    );
    const look = tone === undefined ? NOTHING : markup` class="${tone}" data-tone="${tone}"`;
    return markup`<tr${look} role="row"><th scope="row" role="rowheader">${first}</th>${others}</tr>
`;
  });
  return markup`<table class="${name}" role="table"><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${cells}</tr></thead>
<tbody role="rowgroup">
${lines}</tbody></table>
`;
}

/** The first texts of a list as code, and how many more there are. */
export function codeList(texts: readonly string[], most: number): Markup {
  const shown = texts
    .slice(0, most)
    .map((text, index) => markup`${index === 0 ? '' : ', '}<code>${text}</code>`);
  return markup`${shown}${texts.length > most ? ` and ${grouped(texts.length - most)} more` : ''}`;
}

export const section = (title: Part, content: Part): Markup =>
  markup`<section><h2>${title}</h2>
${content}</section>
`;

/** A command on a line of its own, ready to copy. */
export const command = (line: string): Markup =>
  markup`<pre class="command"><code>${line}</code></pre>`;

/** What to do; a command has a line of its own. */
export function remedyOf(text: string): Markup {
  const [words = '', ...lines] = hintLines(text);
  const commands = lines.map((line) => command(line.trim()));
  return markup`<span class="todo"><b>To do:</b> ${sentence(words)}</span>${commands}`;
}

/** A text that begins with a capital letter, unless it begins with a name or a code. */
export const sentence = (text: string): string =>
  /^[a-z]+(?:[ ,:;]|$)/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;

const SEVERITIES: Readonly<Record<Finding['severity'], Look>> = {
  blocker: { tone: 'lost', sign: '✕', word: 'Blocks' },
  decision: { tone: 'changed', sign: '?', word: 'Decide' },
  info: { tone: 'none', sign: 'i', word: 'Know' },
};

/** What the reader has to decide, in the open; what is good to know, folded. */
export function findingLists(findings: readonly Finding[]): Markup {
  const of = (wanted: Finding['severity']): Finding[] =>
    findings.filter(({ severity }) => severity === wanted);
  const open = [...of('blocker'), ...of('decision')];
  const rest = of('info');
  return markup`${open.length === 0 ? NOTHING : findingList(open)}${rest.length === 0 ? NOTHING : fold(`Good to know (${grouped(rest.length)})`, findingList(rest))}`;
}

function findingList(findings: readonly Finding[]): Markup {
  const items = findings.map((finding) => {
    const { severity, code, subject, message, remedy } = finding;
    const title = titleOf(finding);
    const named = title === undefined ? NOTHING : markup`<b>${title}.</b> `;
    return markup`<li>${badge(SEVERITIES[severity])} ${named}${sentence(message)}${remedyOf(remedy)}<span class="where"><code>${code}</code>: ${subject}</span></li>
`;
  });
  return markup`<ul class="findings">
${items}</ul>
`;
}

/** The filter of a page by word and colour; hidden if no script runs. */
export function filterBar({
  label,
  placeholder,
  choices,
}: {
  /** What is filtered, for a screen reader: `Filter the settings`. */
  readonly label: string;
  readonly placeholder: string;
  readonly choices: readonly Look[];
}): Markup {
  const boxes = choices.map(
    ({ tone, word }) =>
      markup`<label><input type="checkbox" value="${tone}" checked> ${word}</label>`,
  );
  return markup`<div id="filters" role="search" aria-label="${label}" hidden>
<label for="search">Search <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="${placeholder}"></label>
<fieldset><legend>Show</legend>${boxes}</fieldset>
<button id="reset" type="button">Show all</button>
<span id="shown" role="status"></span>
</div>
`;
}
