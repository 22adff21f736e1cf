import { counted } from '../../core/printable';
import {
  badge,
  codeList,
  fold,
  type Look,
  remedyOf,
  type Row,
  sentence,
  table,
} from '../../html/components';
import { type Markup, markup, NOTHING } from '../../html/document';
import { CLOUDFLARE_RULESET, OWASP_RULESET } from '../../ruleset/known-rulesets';
import {
  type NewRuleRow,
  type OverrideRow,
  type Parity,
  type SettingRow,
} from '../../translate/compare/parity';
import {
  describeNewRule,
  describeOverride,
  groupByReason,
  nameOverride,
  nameSetting,
  type ReasonGroup,
  requestsOf,
  STATUS_LOOKS,
  UNKNOWN_ORIGIN,
} from './words';

/** What the new ruleset does without a known legacy setting. */
export const ONLY_NEW: Look = { tone: 'new', sign: '+', word: 'Only new' };

/** The settings and the new rules of a zone, part by part. */
export const familySections = (parity: Parity, zoneAnchor: string): Markup[] =>
  familiesOf(parity).map((family) => familySection(family, zoneAnchor));

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
    instead: 'replace firewall rules and page rules that bypassed the legacy WAF',
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

/** The settings grouped by their reason, lost ones first, and what the new ruleset has. */
function familySection(family: ReturnType<typeof familiesOf>[number], zoneAnchor: string): Markup {
  const { key, title, instead, settings, rules } = family;
  const added = rules.flatMap(unexplainedRows);
  const groups = [
    ...groupByReason(settings).map(reasonGroup),
    ...(added.length === 0
      ? []
      : [groupCard(ONLY_NEW, { why: 'no known legacy setting requires this' }, NOTHING, added)]),
  ];
  const summary = `The new ruleset: ${counted(rules.length, 'rule')}, and what each comes from`;
  const ruleList = markup`<ul class="rules">
${rules.map(ruleItem)}</ul>`;
  return markup`<section class="family">
<h3 id="${zoneAnchor}-${key}">${title}</h3>
<p class="soft">${instead}</p>
${groups}${rules.length === 0 ? markup`<p>The new ruleset has no rule for it.</p>` : fold(summary, ruleList)}
</section>
`;
}

function reasonGroup({ status, why, remedy, rows }: ReasonGroup): Markup {
  const look = STATUS_LOOKS[status];
  const todo = remedy === '' ? NOTHING : remedyOf(remedy);
  const [only, ...others] = rows;
  const what = only !== undefined && others.length === 0 ? nameSetting(only) : '';
  return groupCard(
    look,
    { what, why: why === '' ? look.meaning : why },
    todo,
    rows.map(settingRow),
  );
}

/** Groups with more rows than this are folded. */
const FEW = 3;

function groupCard(
  look: Look,
  { what = '', why }: { readonly what?: string; readonly why: string },
  todo: Markup,
  rows: readonly Row[],
): Markup {
  const open = rows.length <= FEW && look.tone !== 'kept' && look.tone !== 'none';
  const list = table({
    name: 'settings',
    caption: `${look.word}: ${why}`,
    head: ['Legacy setting', 'Was', 'Now'],
    rows: rows.map((row) => ({ ...row, tone: look.tone })),
  });
  return markup`<details class="card group ${look.tone}"${open ? markup` open` : NOTHING}><summary>${badge(look)} ${what === '' ? counted(rows.length, 'setting') : what} <span class="why">${sentence(why)}</span></summary>
<div class="body">${todo}
${list}</div></details>
`;
}

const SHOWN_REQUESTS = 8;

function settingRow(row: SettingRow): Row {
  const { from, attribute, value, to } = row;
  const patterns = requestsOf(row);
  const requests =
    patterns.length === 0
      ? NOTHING
      : markup`<span class="where">for ${codeList(patterns, SHOWN_REQUESTS)}</span>`;
  return {
    cells: [
      markup`<span class="what">${nameSetting(row)}</span>${requests}<span class="where">read from <code>${from}.${attribute}</code></span>`,
      markup`<code>${value}</code>`,
      to ?? 'nothing',
    ],
  };
}

/** What the new ruleset does without a known legacy setting. */
function unexplainedRows(rule: NewRuleRow): Row[] {
  const { position, expression, overrides } = rule;
  const isOwn = rule.from.length === 0 && rule.because === undefined;
  const added = [
    ...(isOwn ? [describeNewRule(rule)] : []),
    ...overrides
      .filter(({ from }) => from.length === 0)
      .map((override) => `${nameOverride(override)}: ${describeOverride(override)}`),
  ];
  return added.map((what) => ({
    cells: [
      markup`rule ${position + 1} of the new ruleset, for ${requestsOfRule(expression)}`,
      '',
      what,
    ],
  }));
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
  markup`<li>${nameOverride(override)}: ${describeOverride(override)}. Comes from: ${origin(override.from)}</li>`;

const requestsOfRule = (expression: string): Markup =>
  expression === 'true' ? markup`all requests` : markup`<code>${expression}</code>`;

const SHOWN_ORIGINS = 12;

const origin = (from: readonly string[], because = UNKNOWN_ORIGIN): Markup =>
  from.length === 0 ? markup`${because}` : codeList(from, SHOWN_ORIGINS);
