import { htmlDocument, type Markup, markup, NOTHING } from '../../html/document';
import { findingLists } from '../../html/components';
import { type Hour, OUTCOMES, type RuleAnswer } from '../comparison';
import { type Review } from '../review';
import {
  changeWords,
  effectLines,
  grouped,
  outcomeWords,
  percent,
  plural,
  proposalLines,
  span,
} from './words';

const TITLE = 'Old WAF against new WAF';

/** The review as one HTML file in the form of the report: it asks no network, and its pictures are inline. */
export function renderHtml(review: Review): string {
  const { classes, requests, rules, timeline, findings, intake, proposal, effect } = review;
  const bars = OUTCOMES.filter((outcome) => classes[outcome] > 0).map((outcome) => ({
    label: outcomeWords[outcome],
    count: classes[outcome],
    note: `${grouped(classes[outcome])} (${percent(classes[outcome] / Math.max(requests, 1))})`,
  }));
  const body = markup`<header>
<h1>${TITLE}</h1>
<p>What the new web application firewall (WAF) did, or would do, in ${grouped(requests)} requests, and what the previous one did in the same ones.${intake === undefined ? '' : ` It stands on ${grouped(intake.events)} security events.`}</p>
</header>
<main id="report" tabindex="-1">
<section><h2>Requests</h2>
${barChart(bars)}
</section>
${
  findings.length === 0
    ? NOTHING
    : markup`<section><h2>To know</h2>
${findingLists(findings)}</section>`
}
<section><h2>Rules, the heaviest first</h2>
${rules.length === 0 ? markup`<p>No rule would change anything.</p>` : rules.map(ruleSection)}
</section>
${timelineChart(timeline)}
${proposal === undefined ? NOTHING : listed('Proposal', proposalLines(proposal))}
${effect === undefined ? NOTHING : listed('Effect', effectLines(effect))}
</main>
`;
  return htmlDocument({ title: TITLE, skip: 'Skip to the review', content: body }).html;
}

/** Lines of the text as a list: what stands further in belongs to the point before. */
function listed(title: string, [first = '', ...rest]: readonly string[]): Markup {
  const points: Markup[][] = [];
  for (const line of rest) {
    const text = markup`${line.trim().replace(/ {2,}/g, ' ')}`;
    if (line.startsWith('    ')) points.at(-1)?.push(markup`<br>`, text);
    else points.push([text]);
  }
  return markup`<section><h2>${title}</h2>
<p>${first}</p>
<ul>${points.map((point) => markup`<li>${point}</li>`)}</ul></section>
`;
}

function ruleSection(rule: RuleAnswer): Markup {
  const { side, ruleId, name, change, verdict, requests, share, clients, paths, samples } = rule;
  return markup`<details><summary>${plural(requests, 'request')} ${changeWords[change]} (${verdict}): ${side} rule <code>${ruleId}</code> ${name}</summary>
<p>${percent(share)} of all requests, ${plural(clients, 'client')}${rule.firstSeen === '' ? '' : `, ${span(rule.firstSeen, rule.lastSeen)} (UTC)`}.</p>
${barChart(paths.map((path) => ({ label: path.host + path.path, count: path.requests, note: grouped(path.requests) })))}
<ul>${samples.map((one) => markup`<li><code>${one.rayId}</code> ${one.method} <code>${one.host}${one.path}${one.query}</code> from ${one.client}</li>`)}</ul>
</details>
`;
}

/** One bar: its label, its length, and what stands at its end. */
interface Bar {
  readonly label: string;
  readonly count: number;
  readonly note: string;
}

const WIDTH = 720;
const ROW = 26;
const BAR = 240;
const LEFT = 340;

/** Horizontal bars as inline SVG, with their numbers in words for those who see no picture. */
function barChart(bars: readonly Bar[]): Markup {
  if (bars.length === 0) return NOTHING;
  const most = Math.max(...bars.map(({ count }) => count));
  const rows = bars.map(({ label, count, note }, index) => {
    const y = index * ROW;
    const length = Math.max(1, Math.round((count / most) * BAR));
    return markup`<g><text x="${LEFT - 8}" y="${y + 17}" text-anchor="end" font-size="13" fill="currentColor">${shortened(label)}</text><rect x="${LEFT}" y="${y + 5}" width="${length}" height="16" rx="2" fill="currentColor" opacity="0.45"><title>${label}: ${note}</title></rect><text x="${LEFT + length + 6}" y="${y + 17}" font-size="13" fill="currentColor">${note}</text></g>`;
  });
  return markup`<svg role="img" aria-label="${bars.map(({ label, note }) => `${label}: ${note}`).join('; ')}" viewBox="0 0 ${WIDTH} ${bars.length * ROW}" width="${WIDTH}">${rows}</svg>
`;
}

/** Requests by hour, as columns. */
function timelineChart(timeline: readonly Hour[]): Markup {
  const hours = timeline.filter(({ hour }) => hour !== '');
  if (hours.length < 2) return NOTHING;
  const totals = hours.map(({ outcomes }) =>
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(...totals);
  const step = WIDTH / hours.length;
  const columns = hours.map(({ hour }, index) => {
    const total = totals[index] ?? 0;
    const height = Math.max(1, Math.round((total / most) * 100));
    return markup`<rect x="${(index * step).toFixed(2)}" y="${110 - height}" width="${Math.max(step - 1, 0.5).toFixed(2)}" height="${height}" fill="currentColor" opacity="0.45"><title>${hour}: ${grouped(total)}</title></rect>`;
  });
  const first = hours[0]?.hour ?? '';
  const last = hours.at(-1)?.hour ?? '';
  return markup`<section><h2>Time line</h2>
<p>Requests in which the two differ or cannot be compared, by hour (UTC).</p>
<svg role="img" aria-label="${grouped(totals.reduce((sum, one) => sum + one, 0))} requests from ${first} to ${last}" viewBox="0 0 ${WIDTH} 130" width="${WIDTH}">${columns}<text x="0" y="126" font-size="12" fill="currentColor">${first}</text><text x="${WIDTH}" y="126" font-size="12" text-anchor="end" fill="currentColor">${last}</text></svg>
</section>
`;
}

const shortened = (label: string): string =>
  label.length > 46 ? `${label.slice(0, 22)}…${label.slice(-22)}` : label;
