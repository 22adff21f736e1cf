import { htmlDocument } from '../../translate/formats/html/document';
import { findingLists } from '../../translate/formats/html/findings';
import { type Markup, markup, NOTHING } from '../../translate/formats/html/markup';
import { OUTCOMES } from '../outcome';
import { type RuleAnswer } from '../comparison';
import { type Review } from '../review';
import { effectLines, proposalLines } from './consequences';
import { barChart, timelineChart } from './charts';
import { changeWords, grouped, outcomeWords, percent, plural, span } from './words';

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
