import { type NewRuleRow, type OverrideRow, type SettingRow, statuses } from '../../parity/parity';
import { describeNewRule, describeOverride, statusWords } from '../words';
import { type Family } from './families';
import { type Markup, markup, NOTHING } from './markup';
import { newRules, requests } from './new-rules';
import { nameSetting, requestsOf, signs } from './words';

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
  return markup`<tr class="${status}" data-status="${status}" role="row"><th scope="row" role="rowheader"><span class="what">${nameSetting(row)}</span><span>was <code>${value}</code></span>${requestsFor(requestsOf(row))}<span class="where">read from <code>${from}.${attribute}</code></span></th><td role="cell" data-label="Result">${badge(status, signs[status], statusWords[status])}</td><td role="cell" data-label="After">${to ?? 'nothing'}</td>${reason(why, remedy)}</tr>
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
  return markup`<tr class="new" data-status="new" role="row"><th scope="row" role="rowheader"><span class="what">No old setting that is known</span></th><td role="cell" data-label="Result">${badge('new', '+', 'Only new')}</td><td role="cell" data-label="After">${what}</td><td role="cell" data-label="Why">rule ${position + 1} of the new ruleset, for ${requests(expression)}</td></tr>
`;
}

function nameOverride(override: OverrideRow): string {
  return `${override.kind} ${override.id}: ${describeOverride(override)}`;
}

function badge(status: string, sign: string, word: string): Markup {
  return markup`<span class="badge ${status}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

function reason(why: string, remedy: string | undefined): Markup {
  if (why === '' && remedy === undefined) return markup`<td role="cell"></td>`;
  const todo =
    remedy === undefined ? NOTHING : markup`<span class="todo"><b>To do:</b> ${remedy}</span>`;
  return markup`<td role="cell" data-label="Why">${why}${todo}</td>`;
}
