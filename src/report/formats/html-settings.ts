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
import { type NewRuleRow, type Parity, type SettingRow } from '../../translate/compare/parity';
import {
  describeNewRule,
  describeOverride,
  groupByReason,
  nameOverride,
  nameSetting,
  requestsOf,
  STATUS_LOOKS,
  UNKNOWN_ORIGIN,
} from './words';

/** What the new ruleset does without a known legacy setting. */
export const ONLY_NEW: Look = { tone: 'new', sign: '+', word: 'Only new' };

/** The settings by reason, lost ones first, then what the new ruleset adds, and where its rules come from. */
export function settingCards({ settings, rules }: Parity): Markup {
  const added = rules.flatMap(unexplainedRows);
  const cards = groupByReason(settings).map(({ status, why, remedy, rows }) => {
    const look = STATUS_LOOKS[status];
    const [only, ...others] = rows;
    const what = others.length === 0 ? nameSetting(only) : counted(rows.length, 'setting');
    const todo = remedy === '' ? NOTHING : remedyOf(remedy);
    return settingCard(look, what, why === '' ? look.meaning : why, todo, rows.map(settingRow));
  });
  const count = counted(added.length, 'setting');
  const unexplained = 'no known legacy setting requires this';
  const addedCard = settingCard(ONLY_NEW, count, unexplained, NOTHING, added);
  const title = `The new ruleset: ${counted(rules.length, 'rule')}, and what each comes from`;
  const ruleList = markup`<ul class="rules">
${rules.map(ruleItem)}</ul>`;
  return markup`${cards}${added.length === 0 ? NOTHING : addedCard}${rules.length === 0 ? NOTHING : fold(title, ruleList)}`;
}

/** Cards with more rows than this are folded. */
const FEW = 3;

function settingCard(
  look: Look,
  what: string,
  why: string,
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
  return markup`<details class="card ${look.tone}"${open ? markup` open` : NOTHING}><summary>${badge(look)} ${what} <span class="why">${sentence(why)}</span></summary>
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

function unexplainedRows(rule: NewRuleRow): Row[] {
  const { position, expression, overrides } = rule;
  const isOwn = rule.from.length === 0 && rule.because === undefined;
  const added = [
    ...(isOwn ? [describeNewRule(rule)] : []),
    ...overrides
      .filter(({ from }) => from.length === 0)
      .map((override) => `${nameOverride(override)}: ${describeOverride(override)}`),
  ];
  const where = markup`rule ${position + 1} of the new ruleset, for ${requestsOfRule(expression)}`;
  return added.map((what) => ({ cells: [where, '', what] }));
}

function ruleItem(rule: NewRuleRow): Markup {
  const { position, expression, description, from, because, overrides } = rule;
  const described =
    description === undefined ? NOTHING : markup`<br><span class="soft">${description}</span>`;
  const items = overrides.map(
    (override) =>
      markup`<li>${nameOverride(override)}: ${describeOverride(override)}. Comes from: ${origin(override.from)}</li>`,
  );
  const changes = items.length === 0 ? NOTHING : markup`<ul>${items}</ul>`;
  return markup`<li><b>Rule ${position + 1}: ${describeNewRule(rule)}</b>, for ${requestsOfRule(expression)}${described}<br>Comes from: ${origin(from, because)}${changes}</li>
`;
}

const requestsOfRule = (expression: string): Markup =>
  expression === 'true' ? markup`all requests` : markup`<code>${expression}</code>`;

const SHOWN_ORIGINS = 12;

const origin = (from: readonly string[], because = UNKNOWN_ORIGIN): Markup =>
  from.length === 0 ? markup`${because}` : codeList(from, SHOWN_ORIGINS);
