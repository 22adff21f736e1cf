import { type NewRuleRow, type OverrideRow } from '../../parity/parity';
import { describeNewRule, describeOverride } from '../words';
import { type Markup, markup } from './markup';

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
export function requests(expression: string): Markup {
  return expression === 'true' ? markup`all requests` : markup`<code>${expression}</code>`;
}

function override(row: OverrideRow): Markup {
  return markup`<li>${row.kind} <code>${row.id}</code>: ${describeOverride(row)}. Comes from: ${origin(row.from, undefined)}</li>`;
}

const SHOWN = 12;

function origin(from: readonly string[], because = 'no old setting that is known'): Markup {
  if (from.length === 0) return markup`${because}`;
  const shown = from
    .slice(0, SHOWN)
    .map((name, index) => markup`${index === 0 ? '' : ', '}<code>${name}</code>`);
  return from.length > SHOWN ? markup`${shown} and ${from.length - SHOWN} more` : markup`${shown}`;
}
