import { type Finding } from '../core/finding';
import { type Markup, markup, NOTHING, type Part } from './document';

/** What a colour means, on every page; a sign and a word are always beside it. */
export interface Look {
  readonly tone: 'lost' | 'changed' | 'kept' | 'without-effect' | 'new';
  readonly sign: string;
  readonly word: string;
}

/** A word with its sign, in its colour. */
export const badge = ({ tone, sign, word }: Look): Markup =>
  markup`<span class="badge ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`;

/** How many there are of each look, and what it means. */
export function tiles(
  all: readonly (Look & { readonly count: number; readonly meaning: string })[],
): Markup {
  const parts = all.map(
    ({ tone, sign, word, count, meaning }) =>
      markup`<li class="${tone}"><strong>${count}</strong><b>${sign} ${word}</b><span>${meaning}</span></li>`,
  );
  return markup`<ul class="tiles">${parts}</ul>`;
}

/** The counts of tiles as one bar; it repeats them, and is not read aloud. */
export function shareBar(
  parts: readonly { readonly tone: Look['tone']; readonly count: number }[],
): Markup {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return NOTHING;
  let left = 0;
  const rects = parts.map(({ tone, count }) => {
    const width = (100 * count) / total;
    const rect = markup`<rect class="${tone}" x="${left}" y="0" width="${width}" height="4"/>`;
    left += width;
    return rect;
  });
  return markup`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">${rects}</svg>`;
}

/** What is folded away until it is opened, and printed open. */
export const fold = (summary: Part, content: Part): Markup =>
  markup`<details><summary>${summary}</summary>
${content}</details>`;

/**
 * A table whose rows are `<tr role="row">`. An overview scrolls sideways, so it takes the focus. The roles are written although the elements imply them: on narrow
 * screens a table is laid out as cards, and browsers then drop what the elements imply.
 */
export function table({
  name,
  caption,
  head,
  rows,
}: {
  /** The class that lays it out. */
  readonly name: 'overview' | 'pairs';
  /** For a screen reader. */
  readonly caption: string;
  readonly head: readonly (readonly [column: string, words: string])[];
  readonly rows: readonly Markup[];
}): Markup {
  const cells = head.map(
    ([column, words]) =>
      markup`<th class="${column}" scope="col" role="columnheader">${words}</th>`,
  );
  return markup`<table class="${name}" role="table"${name === 'overview' ? markup` tabindex="0"` : NOTHING}><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${cells}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody></table>
`;
}

/** The first texts of a list as code, and how many more there are. */
export function codeList(texts: readonly string[], most: number): Markup {
  const shown = texts
    .slice(0, most)
    .map((text, index) => markup`${index === 0 ? '' : ', '}<code>${text}</code>`);
  return markup`${shown}${texts.length > most ? ` and ${texts.length - most} more` : ''}`;
}

/** A section with a heading. */
export const section = (title: Part, content: Part): Markup =>
  markup`<section><h2>${title}</h2>
${content}</section>
`;

const CHART_WIDTH = 720;

/** One bar: its label, its length, and what is written at its end. */
export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly note: string;
}

/** Horizontal bars, with their numbers in words for a screen reader. */
export function barChart(bars: readonly Bar[]): Markup {
  if (bars.length === 0) return NOTHING;
  const [row, left, longest] = [26, 340, 240];
  const most = Math.max(...bars.map(({ count }) => count));
  const rows = bars.map(({ label, count, note }, index) => {
    const y = index * row;
    const length = Math.max(1, Math.round((count / most) * longest));
    const shown = label.length > 46 ? `${label.slice(0, 22)}…${label.slice(-22)}` : label;
    return markup`<g><text x="${left - 8}" y="${y + 17}" text-anchor="end" font-size="13" fill="currentColor">${shown}</text><rect x="${left}" y="${y + 5}" width="${length}" height="16" rx="2" fill="currentColor" opacity="0.45"><title>${label}: ${note}</title></rect><text x="${left + length + 6}" y="${y + 17}" font-size="13" fill="currentColor">${note}</text></g>`;
  });
  const words = bars.map(({ label, note }) => `${label}: ${note}`).join('; ');
  return markup`<svg role="img" aria-label="${words}" viewBox="0 0 ${CHART_WIDTH} ${bars.length * row}" width="${CHART_WIDTH}">${rows}</svg>
`;
}

/** Vertical bars from the first label to the last. */
export function columnChart(bars: readonly Bar[], words: string): Markup {
  const most = Math.max(...bars.map(({ count }) => count));
  const step = CHART_WIDTH / bars.length;
  const columns = bars.map(({ label, count, note }, index) => {
    const height = Math.max(1, Math.round((count / most) * 100));
    return markup`<rect x="${(index * step).toFixed(2)}" y="${110 - height}" width="${Math.max(step - 1, 0.5).toFixed(2)}" height="${height}" fill="currentColor" opacity="0.45"><title>${label}: ${note}</title></rect>`;
  });
  const [first, last] = [bars[0]?.label ?? '', bars.at(-1)?.label ?? ''];
  return markup`<svg role="img" aria-label="${words}" viewBox="0 0 ${CHART_WIDTH} 130" width="${CHART_WIDTH}">${columns}<text x="0" y="126" font-size="12" fill="currentColor">${first}</text><text x="${CHART_WIDTH}" y="126" font-size="12" text-anchor="end" fill="currentColor">${last}</text></svg>
`;
}

const SEVERITIES = { blocker: 'Blocks', decision: 'Decide', info: 'Know' } as const;

/** What the reader has to decide, in the open; what is good to know, folded. */
export function findingLists(findings: readonly Finding[]): Markup {
  const of = (wanted: Finding['severity']): Finding[] =>
    findings.filter(({ severity }) => severity === wanted);
  const open = [...of('blocker'), ...of('decision')];
  const rest = of('info');
  return markup`${open.length === 0 ? NOTHING : markup`<h3>To decide (${open.length})</h3>\n${findingList(open)}`}${rest.length === 0 ? NOTHING : fold(`Good to know (${rest.length})`, findingList(rest))}`;
}

function findingList(findings: readonly Finding[]): Markup {
  const items = findings.map(
    ({ severity, code, subject, message, remedy }) =>
      markup`<li><b>${SEVERITIES[severity]}:</b> ${message}<span class="todo"><b>To do:</b> ${remedy}</span><span class="where"><code>${code}</code> at <code>${subject}</code></span></li>
`,
  );
  return markup`<ul class="findings">
${items}</ul>
`;
}
