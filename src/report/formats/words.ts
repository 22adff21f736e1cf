import {
  type NewRuleRow,
  type OverrideRow,
  type ParitySummary,
  type SettingRow,
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

/** What is shown beside the word of a status: colour alone says nothing to many. */
export const signs: Readonly<Record<Status, string>> = {
  lost: '✕',
  changed: '≠',
  kept: '✓',
  'without-effect': '–',
};

const kinds: Readonly<Record<SettingRow['kind'], string>> = {
  zone: 'Switch of the whole WAF',
  package: 'Package',
  group: 'Group of rules',
  rule: 'Rule',
  override: 'Override for some URLs',
  'firewall-rule': 'Firewall rule that bypasses the WAF',
  'page-rule': 'Page rule',
};

/** Those that do not say themselves what they are. */
const attributes: ReadonlyMap<string, string> = new Map([
  ['action_mode', 'action'],
  ['actions.disable_security', 'Disable Security'],
  ['actions.waf', 'Web Application Firewall'],
]);

/** What an old setting is, in words for somebody who never saw its address. */
export function nameSetting({ kind, subject, attribute, title }: SettingRow): string {
  const what = attributes.get(attribute) ?? attribute;
  switch (kind) {
    case 'zone':
    case 'firewall-rule':
      return kinds[kind];
    case 'package':
      return `${title ?? `${kinds.package} ${subject}`}: ${what}`;
    case 'group':
      return title === undefined ? `${kinds.group} ${subject}` : `${kinds.group} “${title}”`;
    case 'rule':
      return `${kinds.rule} ${subject}${title === undefined ? '' : `: ${title}`}`;
    case 'override':
      return `${kinds.override}: ${nameEntry(attribute, subject, title)}`;
    case 'page-rule':
      return `${kinds['page-rule']} ${subject}: ${what}`;
  }
}

/** One entry of an override: `rules["100005"]`. */
function nameEntry(attribute: string, subject: string, title: string | undefined): string {
  const named = title === undefined ? '' : `: ${title}`;
  if (attribute.startsWith('rules[')) return `rule ${subject}${named}`;
  if (attribute.startsWith('groups[')) return `group of rules ${title ?? subject}`;
  if (attribute.startsWith('rewrite_action[')) return `the action “${subject}” is rewritten`;
  return attribute;
}

/** The requests that a setting is for, as it was written; empty: all, or not known. */
export function requestsOf({ kind, subject, urls = [] }: SettingRow): readonly string[] {
  return kind === 'firewall-rule' && subject !== '' ? [subject] : urls;
}
