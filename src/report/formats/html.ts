import { htmlDocument, Markup, markup, NOTHING } from '../../html/document';
import { script } from '../../html/filter';
import { anchorOf, filterBar, summaryTiles, zoneSection } from './html-zone';
import { type Report, type ZoneReport } from '../report';
import { addSummaries } from '../../translate/compare/parity';

const TITLE = 'What becomes of the old WAF settings';

/**
 * The report as one HTML file: it asks no network, runs nothing but its own script, reads well
 * without it, and prints. For a reader who has seen neither WAF nor Terraform.
 */
export function renderReportHtml({ zones }: Report): string {
  const [only, ...others] = zones;
  const alone = only !== undefined && others.length === 0;
  const title = alone ? `${TITLE}: ${only.name ?? only.zoneId}` : TITLE;
  const body = markup`<header>
<h1>${TITLE}</h1>
<p>Cloudflare replaces its previous web application firewall (WAF) by a new one. This page lists every setting that was made in the previous WAF, and what a new ruleset does instead. What is lost stands first. <a href="#words">What the words mean</a></p>
</header>
<main id="report" tabindex="-1">
${
  alone
    ? NOTHING
    : markup`${overview(zones)}
${filterBar()}`
}
${zones.map((zone, index) => zoneSection(zone, index, alone))}</main>
<footer>
${glossary()}</footer>
`;
  return page(title, [body]).html;
}

/** One whole HTML document with the script of the report. */
function page(title: string, body: readonly Markup[]): Markup {
  const content = markup`${body}
<script>${new Markup(script)}</script>
`;
  return htmlDocument({ title, skip: 'Skip to the report', content, script });
}

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

const terms = [
  ['WAF', 'The web application firewall: it looks at each request and blocks what is an attack.'],
  [
    'Previous WAF',
    'Its rules stood in packages, in groups. Each rule and group could be set for a zone.',
  ],
  [
    'Managed ruleset',
    'What takes the place of a package: a list of rules that Cloudflare maintains. A zone runs it as a whole.',
  ],
  ['Override', 'A change to one rule of a managed ruleset: switched off, or another action.'],
  [
    'Exception',
    'A rule that keeps a managed ruleset, or parts of it, from running for some requests.',
  ],
  [
    'Paranoia level',
    'How many OWASP rules run, from 1 (few false alarms) to 4 (strict, with many false alarms).',
  ],
  [
    'Score threshold',
    'Each OWASP rule that matches adds to the score of a request. From this score on it is acted upon: a lower number is stricter.',
  ],
  [
    'Log, block, managed challenge',
    'What happens to a request: it is only noted; it is refused; the visitor has to pass a check.',
  ],
  [
    'Read from',
    'Where a setting was found: an address in the state of Terraform, the tool that some teams configure Cloudflare with, or a place in an answer of Cloudflare.',
  ],
] as const;

/** The words of the page, for a reader who has seen neither WAF nor Terraform. */
function glossary(): Markup {
  const items = terms.map(
    ([term, meaning]) => markup`<dt>${term}</dt><dd>${meaning}</dd>
`,
  );
  return markup`<details><summary>What the words mean</summary>
<dl id="words">
${items}</dl></details>
`;
}
