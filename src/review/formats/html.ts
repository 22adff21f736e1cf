import { barChart, columnChart, findingLists, fold, section } from '../../html/components';
import { htmlDocument, type Markup, markup, NOTHING } from '../../html/document';
import { type RuleAnswer } from '../comparison';
import { type Review } from '../review';
import {
  changeWords,
  effectLines,
  grouped,
  knownHours,
  outcomeCounts,
  percent,
  plural,
  proposalLines,
  span,
} from './words';

const TITLE = 'Legacy WAF against new WAF';

/** The review as one HTML file: it needs no network, and its charts are inline. */
export function renderHtml(review: Review): string {
  const { requests, rules, findings, intake, proposal, effect } = review;
  const outcomes = outcomeCounts(review).map(({ words, count, share }) => ({
    label: words,
    count,
    note: `${grouped(count)} (${share})`,
  }));
  const basis =
    intake === undefined ? '' : ` It is based on ${grouped(intake.events)} security events.`;
  const content = markup`<header>
<h1>${TITLE}</h1>
<p>What the new web application firewall (WAF) did, or would do, in ${grouped(requests)} requests, and what the previous one did in the same ones.${basis}</p>
</header>
<main id="report" tabindex="-1">
${section('Requests', barChart(outcomes))}
${findings.length === 0 ? NOTHING : section('To know', findingLists(findings))}
${section(
  'Rules, the heaviest first',
  rules.length === 0 ? markup`<p>No rule would change anything.</p>` : rules.map(ruleFold),
)}
${timeline(review)}
${proposal === undefined ? NOTHING : lineSection('Proposal', proposalLines(proposal))}
${effect === undefined ? NOTHING : lineSection('Effect', effectLines(effect))}
</main>
`;
  return htmlDocument({ title: TITLE, skip: 'Skip to the review', content }).html;
}

function ruleFold(rule: RuleAnswer): Markup {
  const { side, ruleId, name, change, verdict, requests, share, clients, paths, samples } = rule;
  const seen = rule.firstSeen === '' ? '' : `, ${span(rule.firstSeen, rule.lastSeen)} (UTC)`;
  const bars = paths.map((path) => ({
    label: path.host + path.path,
    count: path.requests,
    note: grouped(path.requests),
  }));
  const requestItems = samples.map(
    (one) =>
      markup`<li><code>${one.rayId}</code> ${one.method} <code>${one.host}${one.path}${one.query}</code> from ${one.client}</li>`,
  );
  return fold(
    markup`${plural(requests, 'request')} ${changeWords[change]} (${verdict}): ${side} rule <code>${ruleId}</code> ${name}`,
    markup`<p>${percent(share)} of all requests, ${plural(clients, 'client')}${seen}.</p>
${barChart(bars)}
<ul>${requestItems}</ul>
`,
  );
}

function timeline(review: Review): Markup {
  const hours = knownHours(review);
  const [first, last] = [hours[0]?.hour ?? '', hours.at(-1)?.hour ?? ''];
  const total = hours.reduce((sum, hour) => sum + hour.total, 0);
  const bars = hours.map(({ hour, total: count }) => ({
    label: hour,
    count,
    note: grouped(count),
  }));
  if (bars.length === 0) return NOTHING;
  return section(
    'Time line',
    markup`<p>Requests in which the two differ or cannot be compared, by hour (UTC).</p>
${columnChart(bars, `${grouped(total)} requests from ${first} to ${last}`)}`,
  );
}

/** Lines of the text as a list: what is indented further belongs to the point before. */
function lineSection(title: string, [first = '', ...rest]: readonly string[]): Markup {
  const points: Markup[][] = [];
  for (const line of rest) {
    const text = markup`${line.trim().replace(/ {2,}/g, ' ')}`;
    if (line.startsWith('    ')) points.at(-1)?.push(markup`<br>`, text);
    else points.push([text]);
  }
  const items = points.map((point) => markup`<li>${point}</li>`);
  return section(title, markup`<p>${first}</p>\n<ul>${items}</ul>`);
}
