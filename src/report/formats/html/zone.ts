import { type ParitySummary, type Status, statuses } from '../../../translate/compare/parity';
import { type ZoneReport } from '../report';
import { statusMeanings, statusWords } from '../words';
import { groupByFamily, sideBySide } from './side-by-side';
import { findingLists } from '../../../html/findings';
import { markup, type Markup, NOTHING } from '../../../html/markup';
import { signs } from './words';

/** One zone: summary first, then what to decide, then every setting. */
export function zoneSection(report: ZoneReport, index: number, alone: boolean): Markup {
  const { zoneId, name, against, parity, findings } = report;
  const id = anchorOf(index);
  const { settings, rules } = parity.summary;
  const back = alone
    ? NOTHING
    : markup`<p class="back"><a href="#overview">Back to all zones</a></p>`;
  return markup`<section class="zone${alone ? ' only' : ''}" id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${name ?? 'Zone'} <code class="soft">${zoneId}</code></h2>
<p>${settings} old ${settings === 1 ? 'setting' : 'settings'}, held against ${against}, which has ${rules} ${rules === 1 ? 'rule' : 'rules'}.</p>
${back}
${summaryTiles(parity.summary)}
${findingLists(findings)}
${alone ? filterBar() : NOTHING}
${groupByFamily(parity).map((family) => sideBySide(family, id))}
</section>
`;
}

/** Where a zone stands in the page: by its place in the report, not by text from outside. */
export function anchorOf(index: number): string {
  return `zone-${index + 1}`;
}

/** How many settings became what, as tiles and as a bar; the bar repeats, and is not read aloud. */
export function summaryTiles(summary: ParitySummary): Markup {
  const tiles = statuses.map(
    (status) =>
      markup`<li class="${status}"><strong>${countOf(summary, status)}</strong><b>${signs[status]} ${statusWords[status]}</b><span>${statusMeanings[status]}</span></li>`,
  );
  return markup`<ul class="tiles">${tiles}</ul>${summary.settings === 0 ? [] : [bar(summary)]}`;
}

/** Of a status. */
function countOf(summary: ParitySummary, status: Status): number {
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

/** What narrows the page down; it appears when the script is there that makes it work. */
export function filterBar(): Markup {
  const boxes = [
    ...statuses.map((status) => [status, statusWords[status]] as const),
    ['new', 'Only new'] as const,
  ].map(
    ([value, word]) =>
      markup`<label><input type="checkbox" value="${value}" checked> ${word}</label>`,
  );
  return markup`<div id="filters" role="search" aria-label="Filter the settings" hidden>
<label for="search">Search <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="rule, group, address, reason"></label>
<fieldset><legend>Show</legend>${boxes}</fieldset>
<button id="reset" type="button">Show all</button>
<span id="shown" role="status"></span>
</div>
`;
}
