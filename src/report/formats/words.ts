import { groupBy } from '../../core/lists';
import { counted, grouped } from '../../core/printable';
import { type Look } from '../../html/components';
import {
  addSummaries,
  type NewRuleRow,
  type OverrideRow,
  type ParitySummary,
  type SettingRow,
  type Status,
  statuses,
} from '../../translate/compare/parity';
import { builtInCatalogue } from '../../translate/catalogue/catalogue';
import { type Report } from '../report';

interface StatusLook extends Look {
  /** For a reader who has seen neither WAF. */
  readonly meaning: string;
}

export const STATUS_LOOKS: Readonly<Record<Status, StatusLook>> = {
  lost: {
    tone: 'lost',
    sign: '✕',
    word: 'Lost',
    meaning: 'nothing in the new ruleset is known to do this',
  },
  changed: {
    tone: 'changed',
    sign: '≠',
    word: 'Changed',
    meaning: 'the new ruleset does something else, or not all of it',
  },
  kept: { tone: 'kept', sign: '✓', word: 'Kept', meaning: 'the new ruleset does the same' },
  'without-effect': {
    tone: 'none',
    sign: '–',
    word: 'No effect',
    meaning: 'changed nothing in the legacy WAF either',
  },
};

export const statusCounts = (summary: ParitySummary) =>
  statuses.map((status) => ({
    ...STATUS_LOOKS[status],
    count: status === 'without-effect' ? summary.withoutEffect : summary[status],
  }));

export const settingsByStatus = (settings: readonly SettingRow[]) =>
  statuses
    .map((status) => ({
      ...STATUS_LOOKS[status],
      rows: settings.filter((row) => row.status === status),
    }))
    .filter(({ rows }) => rows.length > 0);

export const groupByReason = (settings: readonly SettingRow[]) =>
  settingsByStatus(settings).flatMap(({ rows }) =>
    [...groupBy(rows, ({ why, remedy }) => JSON.stringify([why, remedy])).values()]
      .sort((one, other) => other.length - one.length)
      .map((group) => {
        const [{ status, why = '', remedy = '' }] = group;
        return { status, why, remedy, rows: group };
      }),
  );

export function describeReport({ zones }: Report): string {
  const line = summaryLine(addSummaries(zones.map(({ parity }) => parity.summary)));
  return zones.length === 1 ? line : `${counted(zones.length, 'zone')}, ${line}`;
}

export function summaryLine(summary: ParitySummary): string {
  const { settings, rules } = summary;
  const counts = statusCounts(summary).map(
    ({ count, word }) => `${grouped(count)} ${word.toLowerCase()}`,
  );
  return `${counted(settings, 'legacy setting')}: ${counts.join(', ')}; ${counted(rules, 'rule')} in the new ruleset`;
}

export function describeNewRule({ action, rulesetName, enabled }: NewRuleRow): string {
  const what =
    action === 'execute' && rulesetName !== undefined
      ? `run ${rulesetName}`
      : action === 'skip'
        ? 'make an exception'
        : action;
  return enabled ? what : `${what} (disabled)`;
}

/** What an override is for, with the title of a rule that the catalogue knows. */
export function nameOverride({ kind, id }: OverrideRow): string {
  const rule = builtInCatalogue().managedRules.find((one) => kind === 'rule' && one.id === id);
  return rule === undefined ? `${kind} ${id}` : `${kind} ${id} (${rule.title})`;
}

export function describeOverride({ action, enabled, scoreThreshold }: OverrideRow): string {
  return [
    ...(enabled === undefined ? [] : [enabled ? 'on' : 'off']),
    ...(action === undefined ? [] : [action]),
    ...(scoreThreshold === undefined ? [] : [`from a score of ${scoreThreshold}`]),
  ].join(', ');
}

/** Where a rule or override without a known setting comes from. */
export const UNKNOWN_ORIGIN = 'no known legacy setting';

/** Attributes whose names do not say what they are. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['action_mode', 'action'],
  ['actions.disable_security', 'Disable Security'],
  ['actions.waf', 'Web Application Firewall'],
]);

/** What a legacy setting is, in words for a reader who has never seen its address. */
export function nameSetting({ kind, subject, attribute, title }: SettingRow): string {
  const what = ATTRIBUTES.get(attribute) ?? attribute;
  const titled = title === undefined ? '' : `: ${title}`;
  switch (kind) {
    case 'zone':
      return 'Switch of the whole WAF';
    case 'package':
      return `${title ?? `Package ${subject}`}: ${what}`;
    case 'group':
      return title === undefined ? `Group of rules ${subject}` : `Group of rules “${title}”`;
    case 'rule':
      return `Rule ${subject}${titled}`;
    case 'override':
      return `Override for some URLs: ${nameEntry(attribute, subject, title)}`;
    case 'firewall-rule':
      return 'Firewall rule that bypasses the WAF';
    case 'page-rule':
      return `Page rule ${subject}: ${what}`;
  }
}

/** One entry of an override: `rules["100005"]`. */
function nameEntry(attribute: string, subject: string, title: string | undefined): string {
  const titled = title === undefined ? '' : `: ${title}`;
  if (attribute.startsWith('rules[')) return `rule ${subject}${titled}`;
  if (attribute.startsWith('groups[')) return `group of rules ${title ?? subject}`;
  if (attribute.startsWith('rewrite_action[')) return `the action “${subject}” is rewritten`;
  return attribute;
}

/** The requests that a setting is for, as written; empty: all, or unknown. */
export function requestsOf({ kind, subject, urls = [] }: SettingRow): readonly string[] {
  return kind === 'firewall-rule' && subject !== '' ? [subject] : urls;
}
