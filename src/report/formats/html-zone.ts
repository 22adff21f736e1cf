import { badge, findingLists, shareBar, tiles } from '../../html/components';
import { markup, type Markup, NOTHING } from '../../html/document';
import {
  describeNewRule,
  describeOverride,
  nameSetting,
  requestsOf,
  signs,
  statusMeanings,
  statusWords,
} from './words';
import { type ZoneReport } from '../report';
import { CLOUDFLARE_RULESET, OWASP_RULESET } from '../../ruleset/known-rulesets';
import {
  type NewRuleRow,
  type OverrideRow,
  type Parity,
  type ParitySummary,
  type SettingRow,
  statuses,
} from '../../translate/compare/parity';

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

/** How many settings became what, as tiles and as a bar. */
export function summaryTiles(summary: ParitySummary): Markup {
  const all = statuses.map((status) => ({
    tone: status,
    sign: signs[status],
    word: statusWords[status],
    count: status === 'without-effect' ? summary.withoutEffect : summary[status],
    meaning: statusMeanings[status],
  }));
  return markup`${tiles(all)}${shareBar(all)}`;
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

/** Old settings on the left, what the new ruleset has for them on the right; what is lost comes first. */
export function sideBySide(family: Family, prefix: string): Markup {
  const { key, title, instead, settings, rules } = family;
  const id = `${prefix}-${key}`;
  const rows = [
    ...statuses.flatMap((status) =>
      settings.filter((row) => row.status === status).map(settingRow),
    ),
    ...rules.flatMap(unexplained),
  ];
  return markup`<section class="family">
<h3 id="${id}">${title}</h3>
<p class="soft">${instead}</p>
${rows.length === 0 ? NOTHING : table(title, rows)}
${rules.length === 0 ? markup`<p>The new ruleset has no rule for it.</p>` : newRules(rules)}
</section>
`;
}

// The roles stand there although the elements imply them: on narrow screens the table is laid out as
// cards, and browsers then drop what the elements imply.
function table(title: string, rows: readonly Markup[]): Markup {
  return markup`<table class="pairs" role="table"><caption class="unseen">${title}: old settings and what the new ruleset has for them</caption>
<thead role="rowgroup"><tr role="row"><th class="before" scope="col" role="columnheader">Before: the old setting</th><th class="result" scope="col" role="columnheader">Result</th><th class="after" scope="col" role="columnheader">After: the new ruleset</th><th scope="col" role="columnheader">Why, and what to do</th></tr></thead>
<tbody role="rowgroup">
${rows}</tbody></table>`;
}

function settingRow(row: SettingRow): Markup {
  const { status, from, attribute, value, to, why = '', remedy } = row;
  return markup`<tr class="${status}" data-status="${status}" role="row"><th scope="row" role="rowheader"><span class="what">${nameSetting(row)}</span><span>was <code>${value}</code></span>${requestsFor(requestsOf(row))}<span class="where">read from <code>${from}.${attribute}</code></span></th><td role="cell" data-label="Result">${badge({ tone: status, sign: signs[status], word: statusWords[status] })}</td><td role="cell" data-label="After">${to ?? 'nothing'}</td>${reason(why, remedy)}</tr>
`;
}

function requestsFor(patterns: readonly string[]): Markup {
  if (patterns.length === 0) return NOTHING;
  const shown = patterns
    .slice(0, SHOWN)
    .map((one, index) => markup`${index === 0 ? ' ' : ', '}<code>${one}</code>`);
  const more = patterns.length > SHOWN ? ` and ${patterns.length - SHOWN} more` : '';
  return markup`<span class="requests">for${shown}${more}</span>`;
}
const SHOWN = 8;

/** What the new ruleset does and no old setting is known to ask for. */
function unexplained(rule: NewRuleRow): Markup[] {
  const own = rule.from.length === 0 && rule.because === undefined;
  return [
    ...(own ? [newRow(`it will ${describeNewRule(rule)}`, rule)] : []),
    ...rule.overrides
      .filter(({ from }) => from.length === 0)
      .map((override) => newRow(nameOverride(override), rule)),
  ];
}

function newRow(what: string, { expression, position }: NewRuleRow): Markup {
  return markup`<tr class="new" data-status="new" role="row"><th scope="row" role="rowheader"><span class="what">No old setting that is known</span></th><td role="cell" data-label="Result">${badge({ tone: 'new', sign: '+', word: 'Only new' })}</td><td role="cell" data-label="After">${what}</td><td role="cell" data-label="Why">rule ${position + 1} of the new ruleset, for ${requests(expression)}</td></tr>
`;
}

function nameOverride(override: OverrideRow): string {
  return `${override.kind} ${override.id}: ${describeOverride(override)}`;
}

function reason(why: string, remedy: string | undefined): Markup {
  if (why === '' && remedy === undefined) return markup`<td role="cell"></td>`;
  const todo =
    remedy === undefined ? NOTHING : markup`<span class="todo"><b>To do:</b> ${remedy}</span>`;
  return markup`<td role="cell" data-label="Why">${why}${todo}</td>`;
}

/** One part of the page: the old settings and the new rules that belong together. */
interface Family {
  readonly key: string;
  readonly title: string;
  /** Which part of the previous WAF it takes the place of. */
  readonly instead: string;
  readonly settings: readonly SettingRow[];
  readonly rules: readonly NewRuleRow[];
}

const families = [
  {
    key: 'cloudflare',
    title: 'Cloudflare Managed Ruleset',
    instead: 'takes the place of the old package CloudFlare, and of overrides for its rules',
  },
  {
    key: 'owasp',
    title: 'Cloudflare OWASP Core Ruleset',
    instead: 'takes the place of the old package OWASP ModSecurity Core Rule Set',
  },
  {
    key: 'exceptions',
    title: 'Exceptions',
    instead: 'take the place of firewall rules and page rules that kept requests from the old WAF',
  },
  {
    key: 'rest',
    title: 'Everything else',
    instead: 'the switch of the whole WAF, packages of other kinds, other managed rulesets',
  },
] as const;
type Key = (typeof families)[number]['key'];

/** Brings old settings and new rules together, managed ruleset by managed ruleset. */
export function groupByFamily({ settings, rules }: Parity): Family[] {
  return families
    .map((family) => ({
      ...family,
      settings: settings.filter((row) => familyOfSetting(row) === family.key),
      rules: rules.filter((row) => familyOfRule(row) === family.key),
    }))
    .filter((family) => family.settings.length + family.rules.length > 0);
}

function familyOfSetting({ kind, package: of }: SettingRow): Key {
  if (kind === 'firewall-rule' || kind === 'page-rule') return 'exceptions';
  if (of === 'owasp') return 'owasp';
  if (of === 'cloudflare' || (kind === 'override' && of === undefined)) return 'cloudflare';
  return kind === 'rule' && of === undefined ? 'cloudflare' : 'rest';
}

function familyOfRule({ ruleset, action }: NewRuleRow): Key {
  if (ruleset === CLOUDFLARE_RULESET) return 'cloudflare';
  if (ruleset === OWASP_RULESET) return 'owasp';
  return action === 'skip' ? 'exceptions' : 'rest';
}

/** The rules of a part of the new ruleset, each with the old settings that it comes from. */
export function newRules(rules: readonly NewRuleRow[]): Markup {
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  return markup`<details><summary>The new ruleset: ${count}, and where they come from</summary>
<ul class="rules">
${rules.map(newRule)}</ul></details>`;
}

function newRule(rule: NewRuleRow): Markup {
  const { position, expression, description, from, because, overrides } = rule;
  const changes = overrides.length === 0 ? [] : [markup`<ul>${overrides.map(override)}</ul>`];
  return markup`<li><b>Rule ${position + 1}: ${describeNewRule(rule)}</b>, for ${requests(expression)}${description === undefined ? [] : [markup`<br><span class="soft">${description}</span>`]}<br>Comes from: ${origin(from, because)}${changes}</li>
`;
}

/** The requests of a rule; `true` is what a rule for all of them says. */
function requests(expression: string): Markup {
  return expression === 'true' ? markup`all requests` : markup`<code>${expression}</code>`;
}

function override(row: OverrideRow): Markup {
  return markup`<li>${row.kind} <code>${row.id}</code>: ${describeOverride(row)}. Comes from: ${origin(row.from, undefined)}</li>`;
}

const SHOWN_ORIGINS = 12;

function origin(from: readonly string[], because = 'no old setting that is known'): Markup {
  if (from.length === 0) return markup`${because}`;
  const shown = from
    .slice(0, SHOWN_ORIGINS)
    .map((name, index) => markup`${index === 0 ? '' : ', '}<code>${name}</code>`);
  return from.length > SHOWN_ORIGINS
    ? markup`${shown} and ${from.length - SHOWN_ORIGINS} more`
    : markup`${shown}`;
}
