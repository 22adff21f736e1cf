import { counted, grouped } from '../../core/printable';
import {
  badge,
  command,
  filterBar,
  findingLists,
  fold,
  madeFacts,
  type Made,
  remedyOf,
  renderPage,
  type Row,
  section,
  shareBar,
  table,
  tiles,
} from '../../html/components';
import { type Markup, markup, NOTHING } from '../../html/document';
import { addSummaries, type ParitySummary } from '../../translate/compare/parity';
import { type Report, type ZoneReport } from '../report';
import { ONLY_NEW, settingCards } from './html-settings';
import { groupByReason, STATUS_LOOKS, statusCounts } from './words';

/** The report as one HTML file, for a reader who has seen neither WAF nor Terraform. */
export function renderReportHtml({ zones }: Report, made?: Made): string {
  const [only, ...others] = zones;
  const isOne = only !== undefined && others.length === 0;
  const overview = zones.map((zone, index) => ({
    ...overviewOf(zone),
    href: `#${anchorOf(index)}`,
  }));
  const rules = zones.reduce((sum, { parity }) => sum + parity.summary.rules, 0);
  const isEmpty = rules === 0 && zones.every(({ parity }) => parity.summary.settings === 0);
  const filter = filterBar({
    label: 'Filter the settings',
    placeholder: 'rule, group, address, reason',
    choices: [...Object.values(STATUS_LOOKS), ONLY_NEW],
  });
  const against = [...new Set(zones.map((zone) => zone.against))].join(', ');
  return reportPage(
    overview,
    '#todo',
    [
      ...(isOne ? [markup`zone <code>${only.zoneId}</code>`] : []),
      ...(zones.length === 0 ? [] : [`compared with ${against}: ${counted(rules, 'rule')}`]),
      ...madeFacts(made),
    ],
    markup`${isOne ? NOTHING : overviewSection(overview)}${todoSection(zones, isEmpty)}${isEmpty ? NOTHING : filter}
${zones.map((zone, index) => zoneSection(zone, index, isOne))}`,
  );
}

/** A zone in the list of zones, with a link to its own part or page. */
export type ZoneOverview = ReturnType<typeof overviewOf> & { readonly href: string };

/**
 * The first page of a report that has a page for each zone.
 * @param missing zones without a report, each with its reason
 */
export function renderReportIndex(
  zones: readonly ZoneOverview[],
  missing: readonly string[],
  made?: Made,
): string {
  const title = `${counted(missing.length, 'zone')} without a report`;
  const items = missing.map((line) => markup`<li>${line}</li>`);
  const list = missing.length === 0 ? NOTHING : section(title, markup`<ul>${items}</ul>`);
  return reportPage(zones, '#overview', madeFacts(made), markup`${overviewSection(zones)}${list}`);
}

/** The figures of a zone; its decisions are those beside the settings that are lost. */
export const overviewOf = ({ zoneId, name, parity, findings }: ZoneReport) => ({
  name: name ?? zoneId,
  summary: parity.summary,
  decisions: openFindings(findings).length,
});

/** @param todo where the page shows what to do */
function reportPage(
  zones: readonly ZoneOverview[],
  todo: string,
  facts: readonly (Markup | string)[],
  details: Markup,
): string {
  const summary = addSummaries(zones.map((zone) => zone.summary));
  const [only, ...others] = zones;
  const subject =
    only !== undefined && others.length === 0 ? only.name : counted(zones.length, 'zone');
  return renderPage({
    title: `Legacy WAF settings of ${subject}`,
    answer: answerOf(summary, zones, todo),
    facts,
    body: markup`${tiles(statusCounts(summary))}
${details}${glossary()}`,
  });
}

function answerOf(summary: ParitySummary, zones: readonly ZoneOverview[], todo: string) {
  const { settings, lost, changed, kept } = summary;
  const decisions = zones.reduce((sum, zone) => sum + zone.decisions, 0);
  const losing = zones.filter((zone) => zone.summary.lost > 0).length;
  const where = zones.length > 1 ? ` in ${grouped(losing)} of ${grouped(zones.length)} zones` : '';
  const next = markup`<a href="${todo}">What to do</a>`;
  if (settings === 0) {
    const words = 'There are no legacy WAF settings to migrate.';
    return { tone: 'none', words, next: '' } as const;
  }
  if (lost > 0) {
    const [are, need] = lost === 1 ? ['is', 'needs'] : ['are', 'need'];
    const words = `${grouped(lost)} of ${counted(settings, 'setting')} ${are} lost${where} and ${need} a decision.`;
    return { tone: 'lost', words, next } as const;
  }
  if (changed + decisions > 0) {
    const words = 'No setting is lost, but check the changes and decisions.';
    return { tone: 'changed', words, next } as const;
  }
  const words = `No setting is lost or changed: ${counted(kept, 'setting')} kept.`;
  return { tone: 'kept', words, next } as const;
}

function overviewSection(zones: readonly ZoneOverview[]): Markup {
  const ordered = zones.toSorted(
    (one, other) =>
      other.summary.lost - one.summary.lost || other.summary.changed - one.summary.changed,
  );
  const rows = ordered.map(({ name, href, summary, decisions }): Row => {
    const counts = statusCounts(summary);
    return {
      cells: [
        markup`<a href="${href}">${name}</a>`,
        shareBar(counts),
        ...counts.map(({ count }) => count),
        summary.lost + decisions,
        summary.rules,
      ],
    };
  });
  const words = Object.values(STATUS_LOOKS).map(({ word }) => word);
  return markup`<section id="overview"><h2>${counted(zones.length, 'zone')}</h2>
${table({
  name: 'overview',
  caption: 'All zones, by number of lost settings',
  head: ['Zone', 'Share', ...words, 'To decide', 'New rules'],
  rows,
})}</section>
`;
}

/** The link target of a zone: its number in the report, without hostile text. */
const anchorOf = (index: number): string => `zone-${index + 1}`;

/** The findings that need a decision, without the one that only counts the settings that are shown. */
const openFindings = (findings: ZoneReport['findings']) =>
  findings.filter(({ severity, code }) => severity !== 'info' && code !== 'SETTINGS_LOST');

const MOST_STEPS = 12;

/** @param isEmpty whether there are neither settings nor rules */
function todoSection(zones: readonly ZoneReport[], isEmpty: boolean): Markup {
  const [only, ...others] = zones;
  if (only === undefined) return NOTHING;
  const groups = groupByReason(zones.flatMap(({ parity }) => parity.settings)).filter(
    ({ status, remedy }) => status === 'lost' || (status === 'changed' && remedy !== ''),
  );
  const steps = groups.slice(0, MOST_STEPS).map(
    ({ status, why, remedy, rows }) =>
      markup`<li>${badge(STATUS_LOOKS[status])} ${counted(rows.length, 'setting')}: ${why}${remedy === '' ? NOTHING : remedyOf(remedy)}</li>
`,
  );
  const left = groups.length - MOST_STEPS;
  const more =
    left > 0 ? markup`<li>${counted(left, 'more reason')} below, with what to do.</li>` : NOTHING;
  const findings = zones.flatMap((zone) => openFindings(zone.findings));
  if (isEmpty && findings.length === 0) return NOTHING;
  const status = others.length === 0 ? `status --zone ${only.zoneId}` : 'status';
  const next = markup`<li>See the next command:${command(`cf-waf-migrate ${status}`)}</li>
`;
  return markup`<section><h2 id="todo">What to do</h2>
<ol class="steps">
${steps}${more}${isEmpty ? NOTHING : next}</ol>
${findingLists(others.length === 0 ? findings : [])}</section>
`;
}

function zoneSection(report: ZoneReport, index: number, isOne: boolean): Markup {
  const { zoneId, name, against, parity, findings } = report;
  const id = anchorOf(index);
  const { settings, rules } = parity.summary;
  const open = isOne ? [] : openFindings(findings);
  const known = findings.filter(({ severity }) => severity === 'info');
  const heading = isOne
    ? markup`Settings`
    : markup`${name ?? 'Zone'} <code class="soft">${zoneId}</code>`;
  const intro = isOne
    ? NOTHING
    : markup`<p>${counted(settings, 'legacy setting')}, compared with ${against}, which has ${counted(rules, 'rule')}. <a class="back" href="#overview">Back to all zones</a></p>
${shareBar(statusCounts(parity.summary))}`;
  return markup`<section class="zone" id="${id}" data-zone="${name ?? zoneId}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${heading}</h2>
${intro}
${findingLists([...open, ...known])}
${settingCards(parity)}
</section>
`;
}

const TERMS = {
  WAF: 'The web application firewall: it inspects each request and blocks attacks.',
  'Legacy WAF':
    'Its rules are in packages, and there in groups. A zone can configure each rule and group.',
  'Managed ruleset':
    'Replaces a package: a list of rules that Cloudflare maintains. A zone runs it as a whole.',
  Override: 'A change to one rule of a managed ruleset: switched off, or another action.',
  Exception: 'A rule that keeps a managed ruleset, or parts of it, from running for some requests.',
  'Paranoia level':
    'How many OWASP rules run, from 1 (few false alarms) to 4 (strict, with many false alarms).',
  'Score threshold':
    'Each OWASP rule that matches adds to the score of a request. From this score on, the action applies. A lower number is stricter.',
  'Log, block, managed challenge':
    'What happens to a request: it is only recorded, it is refused, or the visitor must pass a check.',
  'Read from':
    'Where a setting was found: an address in the Terraform state, or a place in an answer of the Cloudflare API.',
};

function glossary(): Markup {
  const items = Object.entries(TERMS).map(
    ([term, meaning]) => markup`<dt>${term}</dt><dd>${meaning}</dd>
`,
  );
  return fold('What the words mean', markup`<dl>\n${items}</dl>`);
}
