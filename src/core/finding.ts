import { groupBy, listed } from './lists';
import { printable } from './printable';

/** How much a finding weighs: `info` informs, `decision` is left to the user, `blocker` stops the command. */
export type Severity = 'info' | 'decision' | 'blocker';

/**
 * Something that the user should know. Expected results, such as an incompatible zone or a lossy setting, are
 * findings and not errors. Part of the JSON of the commands (docs/plan-format.md).
 */
export interface Finding {
  /** Stable and upper case, e.g. `URI_OVERRIDE`. Scripts rely on it. */
  readonly code: string;
  /** A short statement that a reader understands without the code; it does not name the subject. */
  readonly title?: string;
  readonly severity: Severity;
  /** The object of the finding: a zone id, an address, a JSON path. */
  readonly subject: string;
  readonly message: string;
  /** What to do, in the imperative. */
  readonly remedy: string;
  /** The command at the end of the remedy; its paths are relative to the folder of the plan. */
  readonly command?: readonly string[];
}

export const isBlocker = ({ severity }: Finding): boolean => severity === 'blocker';

/** Whether it is left to the user: a blocker or a decision. */
export const isOpenFinding = ({ severity }: Finding): boolean => severity !== 'info';

export const titleOf = ({ title, code }: Finding): string | undefined =>
  title ?? findingTitles[code];

/** Renders findings as lines for a terminal, the most severe first. */
export function renderFindings(findings: readonly Finding[]): string[] {
  return findings.toSorted(bySeverity).flatMap((finding) => {
    const { code, severity, subject, message, remedy } = finding;
    const title = titleOf(finding);
    return [
      ...(title === undefined
        ? [`${severity}: ${code} ${printable(subject, 200)}`]
        : [`${severity}: ${printable(title, 200)} (${code})`, `    ${printable(subject, 200)}`]),
      ...wrapLines(printable(message, 500), '    '),
      ...renderRemedy(remedy),
    ];
  });
}

const SEVERITIES = ['blocker', 'decision', 'info'] as const;

/** For `sort`: the most severe first. */
export const bySeverity = (one: Finding, other: Finding): number =>
  SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);

function renderRemedy(remedy: string): string[] {
  const [words = '', ...commands] = hintLines(remedy);
  return [
    ...wrapLines(`→ ${printable(words, 1_000)}`, '    '),
    ...commands.map((command) => `      ${printable(command)}`),
  ];
}

/** The lines of a hint or remedy: first its words, then one command per line. */
export const hintLines = (hint: string): string[] => hint.split('\n');

/** Findings whose subject is a zone, by its name instead of its id. */
export const namingZones = (
  findings: readonly Finding[],
  names: ReadonlyMap<string, string | undefined>,
): Finding[] => findings.map((one) => ({ ...one, subject: names.get(one.subject) ?? one.subject }));

/** Whether one of some findings has this code and subject. */
export const isAmong = (
  { code, subject }: Pick<Finding, 'code' | 'subject'>,
  findings: readonly Finding[],
): boolean => findings.some((one) => one.code === code && one.subject === subject);

/** Findings, with those of others that have another code or subject. */
export const addFindings = (
  findings: readonly Finding[],
  others: readonly Finding[],
): readonly Finding[] => [...findings, ...others.filter((other) => !isAmong(other, findings))];

/** One finding for each code and title: the most severe one, with the commands of some others. */
export function firstOfEachCode(findings: readonly Finding[]): Finding[] {
  const kindOf = (one: Finding): string => `${one.code} ${titleOf(one) ?? ''}`;
  return [...groupBy(findings.toSorted(bySeverity), kindOf).values()].map((group) => {
    const [first, ...more] = group;
    const [words = ''] = hintLines(first.remedy);
    const commands = commandsOf(group);
    const shown = commandsOf(group.slice(0, MOST_SHOWN));
    const left = commands.length - shown.length;
    const subjects = more
      .map(({ subject }) => subject)
      .filter((one) => one !== '' && one !== first.subject);
    const others = [...new Set(subjects)];
    return {
      ...first,
      message:
        others.length === 0
          ? first.message
          : `${first.message.replace(/\.$/, '')}. Also: ${listed(others)}`,
      subject: `${first.subject}${more.length === 0 ? '' : ` and ${more.length} more`}`,
      remedy: [words, ...shown, ...(left > 0 ? [`… and ${left} more, all in --json`] : [])].join(
        '\n',
      ),
    };
  });
}

/** Findings of one code whose commands are shown. */
const MOST_SHOWN = 5;

const commandsOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.flatMap(({ remedy }) => hintLines(remedy).slice(1))),
];

export const findingCodes = (findings: readonly Finding[]): string =>
  [...new Set(findings.map(({ code }) => code))].join(', ');

const WIDTH = 80;

/**
 * Breaks a line of text at its spaces; a word that is too long stays whole.
 * @param indent prefix of every line
 * @param hanging prefix of every line except the first; default: the indent
 */
export function wrapLines(text: string, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = WIDTH - (lines.length === 0 ? indent : hanging).length;
    // names in a text must not look like a command: an empty word would let the next one begin a line
    const mayBegin = word !== '' && word !== 'cf-waf-migrate' && !word.startsWith('TF_WORKSPACE=');
    if (line !== '' && mayBegin && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one, index) => `${index === 0 ? indent : hanging}${one}`);
}

/** Titles of findings by code. The planner's findings have their own. */
export const findingTitles: Readonly<Record<string, string>> = {
  // check and status
  ALREADY_MIGRATED: 'The zone is migrated already',
  API_NOT_ASKED: 'The Cloudflare API was not called',
  BLOCKS_LEFT: 'Blocks without a purpose stay in the files',
  BLOCKS_NOT_APPLIED: 'Terraform has not applied the edited files',
  BLOCK_ALREADY_GONE: 'A terraform apply now would destroy resources',
  ENTRY_POINT_DECLARED_TWICE: 'Two resources declare the entry point of the zone',
  EXPRESSION_TOO_LONG: 'An expression is too long to migrate',
  MIGRATION_UNDER_WAY: 'Cloudflare is switching the zone',
  NOT_CHECKED: 'Some settings could not be read',
  PAGE_RULE_WITHOUT_EFFECT: 'A page rule will have no effect on the new WAF',
  PHASE_ONE_CONDITION: 'A condition of phase one is not met',
  ROLLBACK_INCOMPLETE: 'A rollback is not complete',
  STATE_UNREAD: 'The state could not be read',
  FOLDER_UNKNOWN: 'The Terraform folders of zones are unknown',
  LEGACY_BLOCKS_DECLARED: 'Legacy blocks stay in the configuration',
  OTHER_WORKSPACES: 'Other workspaces are not read',
  OTHER_ZONES: 'Zones of this state have to be planned together',
  TOO_MANY_FIREWALL_RULES: 'The zone has too many firewall rules',
  URI_OVERRIDE: 'A URI-based WAF override blocks the migration',
  ZONE_NOT_COMPATIBLE: 'Cloudflare does not allow the migration',
  ZONE_NOT_MIGRATED: 'The zone has not migrated',
  ZONE_UNPROTECTED: 'No WAF is on',

  // report and generate
  ENTRY_POINT_ZONE_UNKNOWN: 'Another ruleset may be the entry point of this zone',
  FIELD_NOT_SUPPORTED: 'The provider cannot declare a field',
  MANAGED_RULESET_OFF: 'A managed ruleset is off, or sees no request',
  MANAGED_RULES_LEFT_OUT: 'The Cloudflare Managed Ruleset is not deployed everywhere',
  NEVER_PLANS_EMPTY: 'The first plan will show a difference',
  NEW_RULE_SHARED: 'One new rule replaces several legacy rules',
  OTHER_PRODUCTS_BYPASSED: 'A firewall rule also bypasses other products',
  OWASP_MAPPING_UNCLEAR: 'The mapping of the OWASP sensitivity is contradictory',
  OWASP_WEAKER: 'The OWASP ruleset may stop less than before',
  PACKAGE_MISSING: 'The sensitivity of the OWASP package is unknown',
  OVERRIDES_BY_HAND: 'The migration adds no exceptions for URI overrides',
  PAGE_RULES_ASSUMED: 'The effect of page rules is assumed',
  PROVIDER_EXCLUDED: 'The folder uses another provider version',
  PROVIDER_NOT_CHOSEN: 'No provider configuration is the default',
  REFS_NOT_SUPPORTED: 'Changed rules get new ids',
  SETTINGS_LOST: 'Settings are lost',
  SETTINGS_OF_STATE: 'Only the settings in the Terraform state are compared',
  SETTINGS_PARTIAL: 'Settings are kept only in part',
  SETTINGS_WEAKER: 'Settings protect less than before',
  STRING_NOT_EXACT: 'Terraform changes unusual characters of a text',
  URL_PATTERNS_ASSUMED: 'The meaning of URL patterns is assumed',
  WAF_SWITCHED_OFF: 'The WAF of the zone is off',
  ZONE_UNKNOWN: 'The zone of a resource is unknown',

  // start-validation and finish
  ENTRY_POINT_DIFFERS: 'The entry point ruleset is not the one that was sent',
  MIGRATION_CONFIG_CHANGED: 'The file differs from the migration configuration',
  NEW_RULES_LOG: 'New rules only log',
  NEW_RULES_RUN_FIRST: 'New rules can hide legacy events',
  NOTHING_IS_ON: 'No managed ruleset is on',
  OLD_SETTINGS_UNREAD: 'The legacy settings cannot be saved',
  STACK_DIFFERS: 'The stack declares another ruleset',
  STANDING_EXCEPTION_WIDER: 'An exception would also apply to new rules',
  STANDING_RULE_DIFFERS: 'The entry point ruleset has this rule with other settings',
  STANDING_RULE_KEPT: 'A rule of the entry point ruleset is kept',
  STANDING_RULE_NOT_IN_FILE: 'A rule of the entry point ruleset is not in the file',
  VALIDATION_NOT_AVAILABLE: 'Validation mode is not available',

  // review
  ACTION_UNKNOWN: 'Events have an unknown action',
  EARLIER_EVENTS_NOT_COUNTED: 'Earlier events are not counted',
  EVENTS_SAMPLED: 'The events are sampled',
  EVENTS_WITHOUT_RAY: 'Events have no Ray ID',
  LEGACY_WAF_HIDDEN: 'The new WAF hid requests from the legacy WAF',
  LOG_TAKEN_AS_LOG: 'Logged requests do not count as blocked',
  NO_LEGACY_EVENTS: 'There are no events of the legacy WAF',
  NO_NEW_EVENTS: 'There are no events of the new WAF',
  TAG_UNRESOLVED: 'The rules of a tag are unknown',
  UNREADABLE_LINES: 'Lines could not be read',

  // rehearse, apply and firewall
  EDIT_HELD_BACK: 'An edit was not made yet',
  FILTER_STAYED: 'The filter was not deleted',
  STACK_OUT_OF_DATE: 'The stack is not what the program would synthesise now',
};
