import {
  type NewRuleRow,
  type OverrideRow,
  type ParitySummary,
  type Status,
} from '../../translate/compare/parity';

/** How a status is called in a report. */
export const statusWords: Readonly<Record<Status, string>> = {
  lost: 'Lost',
  changed: 'Changed',
  kept: 'Kept',
  'without-effect': 'Without effect',
};

/** What a status means, for a reader who has seen neither WAF. */
export const statusMeanings: Readonly<Record<Status, string>> = {
  lost: 'nothing in the new ruleset does this',
  changed: 'the new ruleset does something else, or not all of it',
  kept: 'the new ruleset does the same',
  'without-effect': 'changed nothing in the previous WAF either',
};

/** The summary as one line. */
export function summaryLine(summary: ParitySummary): string {
  const { settings, kept, changed, lost, withoutEffect, rules, withoutOrigin } = summary;
  const old = `${settings} old settings: ${lost} lost, ${changed} changed, ${kept} kept, ${withoutEffect} without effect`;
  const fresh = `${rules} rules in the new ruleset`;
  return withoutOrigin === 0
    ? `${old}; ${fresh}`
    : `${old}; ${fresh}, ${withoutOrigin} rules and overrides of it without a known origin`;
}

/** What a rule of the new ruleset does, in words. */
export function describeNewRule({ action, rulesetName, enabled }: NewRuleRow): string {
  const what =
    action === 'execute' && rulesetName !== undefined
      ? `run ${rulesetName}`
      : action === 'skip'
        ? 'make an exception'
        : action;
  return enabled ? what : `${what} (disabled)`;
}

/** What an override sets, in words. */
export function describeOverride({ action, enabled, scoreThreshold }: OverrideRow): string {
  return [
    ...(enabled === undefined ? [] : [enabled ? 'on' : 'off']),
    ...(action === undefined ? [] : [action]),
    ...(scoreThreshold === undefined ? [] : [`from a score of ${scoreThreshold}`]),
  ].join(', ');
}
