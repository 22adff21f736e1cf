import { type ZoneReport } from '../report';
import { groupByFamily } from './families';
import { filterBar } from './filters';
import { findingLists } from './findings';
import { type Markup, markup, NOTHING } from './markup';
import { sideBySide } from './side-by-side';
import { summaryTiles } from './summary';

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
