import { type ParitySummary, type Status, statuses } from '../../parity/parity';
import { statusMeanings, statusWords } from '../words';
import { type Markup, markup } from './markup';
import { signs } from './words';

/** How many settings became what, as tiles and as a bar; the bar repeats, and is not read aloud. */
export function summaryTiles(summary: ParitySummary): Markup {
  const tiles = statuses.map(
    (status) =>
      markup`<li class="${status}"><strong>${countOf(summary, status)}</strong><b>${signs[status]} ${statusWords[status]}</b><span>${statusMeanings[status]}</span></li>`,
  );
  return markup`<ul class="tiles">${tiles}</ul>${summary.settings === 0 ? [] : [bar(summary)]}`;
}

/** Of a status. */
export function countOf(summary: ParitySummary, status: Status): number {
  return status === 'without-effect' ? summary.withoutEffect : summary[status];
}

function bar(summary: ParitySummary): Markup {
  let left = 0;
  const parts = statuses.map((status) => {
    const width = (100 * countOf(summary, status)) / summary.settings;
    const part = markup`<rect class="${status}" x="${left}" y="0" width="${width}" height="4"/>`;
    left += width;
    return part;
  });
  return markup`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}
