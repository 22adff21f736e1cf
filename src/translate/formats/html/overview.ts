import { type ZoneReport } from '../report';
import { addSummaries } from '../../parity/add-summaries';
import { type Markup, markup } from './markup';
import { summaryTiles } from './summary';
import { anchorOf } from './zone';

/** All zones with their numbers, those that lose most first; each leads to its part of the page. */
export function overview(zones: readonly ZoneReport[]): Markup {
  const ordered = [...zones.entries()].sort(
    ([, a], [, b]) =>
      b.parity.summary.lost - a.parity.summary.lost ||
      b.parity.summary.changed - a.parity.summary.changed,
  );
  return markup`<section id="overview" aria-labelledby="overview-name">
<h2 id="overview-name">${zones.length} zones</h2>
${summaryTiles(addSummaries(zones.map(({ parity }) => parity.summary)))}
<table class="overview"><caption class="unseen">All zones, those that lose most first</caption>
<thead><tr><th scope="col">Zone</th>${['Lost', 'Changed', 'Kept', 'Without effect', 'To decide', 'New rules'].map((head) => markup`<th class="number" scope="col">${head}</th>`)}</tr></thead>
<tbody>
${ordered.map(([index, zone]) => row(zone, index))}</tbody></table>
</section>
`;
}

function row({ zoneId, name, parity: { summary }, findings }: ZoneReport, index: number): Markup {
  const open = findings.filter(({ severity }) => severity !== 'info').length;
  const { lost, changed, kept, withoutEffect, rules } = summary;
  const numbers = [lost, changed, kept, withoutEffect, open, rules];
  return markup`<tr><th scope="row"><a href="#${anchorOf(index)}">${name ?? markup`<code>${zoneId}</code>`}</a></th>${numbers.map((one) => markup`<td class="number">${one}</td>`)}</tr>
`;
}
