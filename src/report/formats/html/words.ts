import { type SettingRow, type Status } from '../../../translate/compare/parity';

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
