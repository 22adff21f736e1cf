import { badge, codeList, findingLists, fold, shareBar, table, tiles } from '../../html/components';
import { htmlDocument, Markup, markup, NOTHING } from '../../html/document';
import { filterBar, filterScript } from '../../html/filter';
import { CLOUDFLARE_RULESET, OWASP_RULESET } from '../../ruleset/known-rulesets';
import {
  addSummaries,
  type NewRuleRow,
  type OverrideRow,
  type Parity,
  type ParitySummary,
  type SettingRow,
} from '../../translate/compare/parity';
import { counted } from '../../core/printable';
import { type Report, type ZoneReport } from '../report';
import {
  describeNewRule,
  describeOverride,
  nameSetting,
  requestsOf,
  settingsByStatus,
  STATUS_LOOKS,
  statusCounts,
  UNKNOWN_ORIGIN,
} from './words';

const TITLE = 'What happens to the legacy WAF settings';
const ONLY_NEW = { tone: 'new', sign: '+', word: 'Only new' } as const;

/** The report as one HTML file, for a reader who has seen neither WAF nor Terraform. */
export function renderReportHtml({ zones }: Report): string {
  const [only, ...others] = zones;
  const alone = only !== undefined && others.length === 0;
  const content = markup`<header>
<h1>${TITLE}</h1>
<p>Cloudflare replaces its legacy web application firewall (WAF) with managed rulesets. This page lists every setting of the legacy WAF, and what the new ruleset does instead. Lost settings come first. <a href="#words">What the words mean</a></p>
</header>
<main id="report" tabindex="-1">
${alone ? NOTHING : markup`${overview(zones)}${filters()}`}
${zones.map((zone, index) => zoneSection(zone, index, alone))}</main>
<footer>
${glossary()}</footer>
<script>${new Markup(filterScript)}</script>
`;
  return htmlDocument({
    title: alone ? `${TITLE}: ${only.name ?? only.zoneId}` : TITLE,
    skip: 'Skip to the report',
    content,
    script: filterScript,
  }).html;
}

/** All zones with their numbers, those that lose most first; each links to its part of the page. */
function overview(zones: readonly ZoneReport[]): Markup {
  const ordered = [...zones.entries()].sort(
    ([, { parity: one }], [, { parity: other }]) =>
      other.summary.lost - one.summary.lost || other.summary.changed - one.summary.changed,
  );
  const counts = [...Object.values(STATUS_LOOKS).map(({ word }) => word), 'To decide', 'New rules'];
  const rows = ordered.map(
    ([
      index,
      {
        zoneId,
        name,
        parity: { summary },
        findings,
      },
    ]) => {
      const open = findings.filter(({ severity }) => severity !== 'info').length;
      const numbers = [...statusCounts(summary).map(({ count }) => count), open, summary.rules];
      return markup`<tr role="row"><th scope="row" role="rowheader"><a href="#${anchorOf(index)}">${name ?? markup`<code>${zoneId}</code>`}</a></th>${numbers.map((one) => markup`<td class="number" role="cell">${one}</td>`)}</tr>
`;
    },
  );
  return markup`<section id="overview" aria-labelledby="overview-name">
<h2 id="overview-name">${counted(zones.length, 'zone')}</h2>
${summaryTiles(addSummaries(zones.map(({ parity }) => parity.summary)))}
${table({
  name: 'overview',
  caption: 'All zones, those that lose most first',
  head: [['subject', 'Zone'], ...counts.map((word) => ['number', word] as const)],
  rows,
})}</section>
`;
}

/** The link target of a zone: its place in the report, no hostile text. */
const anchorOf = (index: number): string => `zone-${index + 1}`;

const summaryTiles = (summary: ParitySummary): Markup =>
  markup`${tiles(statusCounts(summary))}${shareBar(statusCounts(summary))}`;

const filters = (): Markup =>
  filterBar({
    label: 'Filter the settings',
    placeholder: 'rule, group, address, reason',
    choices: [...Object.values(STATUS_LOOKS), ONLY_NEW].map(({ tone, word }) => [tone, word]),
  });

/** One zone: summary first, then what to decide, then every setting. */
function zoneSection(report: ZoneReport, index: number, alone: boolean): Markup {
  const { zoneId, name, against, parity, findings } = report;
  const id = anchorOf(index);
  const { settings, rules } = parity.summary;
  return markup`<section class="zone${alone ? ' only' : ''}" id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${name ?? 'Zone'} <code class="soft">${zoneId}</code></h2>
<p>${counted(settings, 'legacy setting')}, compared with ${against}, which has ${counted(rules, 'rule')}.</p>
${alone ? NOTHING : markup`<p class="back"><a href="#overview">Back to all zones</a></p>`}
${summaryTiles(parity.summary)}
${findingLists(findings)}
${alone ? filters() : NOTHING}
${familiesOf(parity).map((family) => familySection(family, id))}
</section>
`;
}

/** One part of a zone: the legacy settings and the new rules that belong together. */
interface Family {
  readonly key: 'cloudflare' | 'owasp' | 'exceptions' | 'rest';
  readonly title: string;
  /** Which part of the legacy WAF it replaces. */
  readonly instead: string;
}

const FAMILIES: readonly Family[] = [
  {
    key: 'cloudflare',
    title: 'Cloudflare Managed Ruleset',
    instead: 'replaces the legacy package CloudFlare, and overrides for its rules',
  },
  {
    key: 'owasp',
    title: 'Cloudflare OWASP Core Ruleset',
    instead: 'replaces the legacy package OWASP ModSecurity Core Rule Set',
  },
  {
    key: 'exceptions',
    title: 'Exceptions',
    instead: 'replace firewall rules and page rules that kept requests from the legacy WAF',
  },
  {
    key: 'rest',
    title: 'Everything else',
    instead: 'the switch of the whole WAF, packages of other kinds, other managed rulesets',
  },
];

const familiesOf = ({ settings, rules }: Parity) =>
  FAMILIES.map((family) => ({
    ...family,
    settings: settings.filter((row) => familyOfSetting(row) === family.key),
    rules: rules.filter((row) => familyOfRule(row) === family.key),
  })).filter((family) => family.settings.length + family.rules.length > 0);

function familyOfSetting({ kind, package: of }: SettingRow): Family['key'] {
  if (kind === 'firewall-rule' || kind === 'page-rule') return 'exceptions';
  if (of === 'owasp') return 'owasp';
  if (of === 'cloudflare' || (kind === 'override' && of === undefined)) return 'cloudflare';
  return kind === 'rule' && of === undefined ? 'cloudflare' : 'rest';
}

function familyOfRule({ ruleset, action }: NewRuleRow): Family['key'] {
  if (ruleset === CLOUDFLARE_RULESET) return 'cloudflare';
  if (ruleset === OWASP_RULESET) return 'owasp';
  return action === 'skip' ? 'exceptions' : 'rest';
}

/** Legacy settings on the left, what the new ruleset has for them on the right; lost ones first. */
function familySection(family: ReturnType<typeof familiesOf>[number], zoneAnchor: string): Markup {
  const { key, title, instead, settings, rules } = family;
  const rows = [
    ...settingsByStatus(settings).flatMap(({ rows: own }) => own.map(settingRow)),
    ...rules.flatMap(unexplainedRows),
  ];
  const pairs = table({
    name: 'pairs',
    caption: `${title}: legacy settings and what the new ruleset has for them`,
    head: [
      ['before', 'Before: the legacy setting'],
      ['result', 'Result'],
      ['after', 'After: the new ruleset'],
      ['why', 'Why, and what to do'],
    ],
    rows,
  });
  const summary = `The new ruleset: ${counted(rules.length, 'rule')}, and where they come from`;
  const ruleList = markup`<ul class="rules">
${rules.map(ruleItem)}</ul>`;
  return markup`<section class="family">
<h3 id="${zoneAnchor}-${key}">${title}</h3>
<p class="soft">${instead}</p>
${rows.length === 0 ? NOTHING : pairs}${rules.length === 0 ? markup`<p>The new ruleset has no rule for it.</p>` : fold(summary, ruleList)}
</section>
`;
}

const SHOWN_REQUESTS = 8;

function settingRow(row: SettingRow): Markup {
  const { status, from, attribute, value, to, why = '', remedy } = row;
  const patterns = requestsOf(row);
  const requests =
    patterns.length === 0
      ? NOTHING
      : markup`<span class="requests">for ${codeList(patterns, SHOWN_REQUESTS)}</span>`;
  const todo =
    remedy === undefined ? NOTHING : markup`<span class="todo"><b>To do:</b> ${remedy}</span>`;
  return pairRow(
    STATUS_LOOKS[status],
    markup`<span class="what">${nameSetting(row)}</span><span>was <code>${value}</code></span>${requests}<span class="where">read from <code>${from}.${attribute}</code></span>`,
    to ?? 'nothing',
    markup`${why}${todo}`,
  );
}

/** What the new ruleset does without a known legacy setting. */
function unexplainedRows(rule: NewRuleRow): Markup[] {
  const { position, expression, overrides } = rule;
  const isOwn = rule.from.length === 0 && rule.because === undefined;
  const added = [
    ...(isOwn ? [`it will ${describeNewRule(rule)}`] : []),
    ...overrides
      .filter(({ from }) => from.length === 0)
      .map((override) => `${override.kind} ${override.id}: ${describeOverride(override)}`),
  ];
  return added.map((what) =>
    pairRow(
      ONLY_NEW,
      markup`<span class="what">No known legacy setting</span>`,
      what,
      markup`rule ${position + 1} of the new ruleset, for ${requestsOfRule(expression)}`,
    ),
  );
}

function pairRow(
  look: (typeof STATUS_LOOKS)[SettingRow['status']] | typeof ONLY_NEW,
  before: Markup,
  after: string,
  why: Markup,
): Markup {
  const reason =
    why.html === ''
      ? markup`<td role="cell"></td>`
      : markup`<td role="cell" data-label="Why">${why}</td>`;
  return markup`<tr class="${look.tone}" data-status="${look.tone}" role="row"><th scope="row" role="rowheader">${before}</th><td role="cell" data-label="Result">${badge(look)}</td><td role="cell" data-label="After">${after}</td>${reason}</tr>
`;
}

function ruleItem(rule: NewRuleRow): Markup {
  const { position, expression, description, from, because, overrides } = rule;
  const described =
    description === undefined ? NOTHING : markup`<br><span class="soft">${description}</span>`;
  const changes =
    overrides.length === 0 ? NOTHING : markup`<ul>${overrides.map(overrideItem)}</ul>`;
  return markup`<li><b>Rule ${position + 1}: ${describeNewRule(rule)}</b>, for ${requestsOfRule(expression)}${described}<br>Comes from: ${origin(from, because)}${changes}</li>
`;
}

const overrideItem = (override: OverrideRow): Markup =>
  markup`<li>${override.kind} <code>${override.id}</code>: ${describeOverride(override)}. Comes from: ${origin(override.from)}</li>`;

const requestsOfRule = (expression: string): Markup =>
  expression === 'true' ? markup`all requests` : markup`<code>${expression}</code>`;

const SHOWN_ORIGINS = 12;

const origin = (from: readonly string[], because = UNKNOWN_ORIGIN): Markup =>
  from.length === 0 ? markup`${because}` : codeList(from, SHOWN_ORIGINS);

const TERMS = {
  WAF: 'The web application firewall: it inspects each request and blocks attacks.',
  'Legacy WAF':
    'Its rules were in packages, in groups. Each rule and group could be set for a zone.',
  'Managed ruleset':
    'Replaces a package: a list of rules that Cloudflare maintains. A zone runs it as a whole.',
  Override: 'A change to one rule of a managed ruleset: switched off, or another action.',
  Exception: 'A rule that keeps a managed ruleset, or parts of it, from running for some requests.',
  'Paranoia level':
    'How many OWASP rules run, from 1 (few false alarms) to 4 (strict, with many false alarms).',
  'Score threshold':
    'Each OWASP rule that matches adds to the score of a request. From this score on the action applies: a lower number is stricter.',
  'Log, block, managed challenge':
    'What happens to a request: it is only noted; it is refused; the visitor has to pass a check.',
  'Read from':
    'Where a setting was found: an address in the state of Terraform, the tool that some teams configure Cloudflare with, or a place in an answer of Cloudflare.',
};

function glossary(): Markup {
  const items = Object.entries(TERMS).map(
    ([term, meaning]) => markup`<dt>${term}</dt><dd>${meaning}</dd>
`,
  );
  return markup`${fold('What the words mean', markup`<dl id="words">\n${items}</dl>`)}
`;
}
