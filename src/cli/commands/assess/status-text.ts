import {
  type Finding,
  firstOfEachCode,
  namingZones,
  renderFindings,
  wrapLines,
} from '../../../core/finding';
import { groupBy, listed } from '../../../core/lists';
import { alignColumns, counted, printable } from '../../../core/printable';
import { shownDeployment } from '../../../ruleset/protection';
import { type FolderStatus } from '../../../zone/folder-status';
import { type Work, WORK_WORDS, type ZoneStatus } from '../../../zone/next-step';

/** With more zones, the list has only zones with a next step or a finding. */
const MOST_LISTED = 20;

export function renderStatus({ folders, zones, findings }: FolderStatus): string {
  const isShort = zones.length <= MOST_LISTED;
  const rows = zones
    .filter(
      ({ zone, work }) =>
        isShort ||
        !['done', 'generated'].includes(work) ||
        findings.some(({ subject }) => subject === zone),
    )
    .toSorted((one, other) => urgencyOf(one) - urgencyOf(other));
  const named = namingZones(findings, new Map(zones.map(({ zone, name }) => [zone, name])));
  const shown = zones.length === 1 ? named : firstOfEachCode(named);
  return [
    ...(isShort ? folders : []).map(
      ({ dir, provider }) =>
        `Folder ${printable(dir, 200)}: provider ${provider ?? 'version unknown'}`,
    ),
    summary(zones, findings),
    ...(rows.length === 0 ? [] : ['']),
    ...(isShort || rows.length === 0 ? [] : ['Zones with a next step or a finding:']),
    ...(rows.length === 0 ? [] : alignColumns([HEADINGS, ...rows.map(rowOf)])),
    ...(zones.length === 1 ? zones.flatMap(deployments) : []),
    ...(shown.length === 0 ? [] : ['', ...renderFindings(shown)]),
  ].join('\n');
}

/** Works that need the user, and that no next command completes. */
const URGENT: readonly Work[] = ['unprotected', 'blocked', 'status', 'by-hand'];

const urgencyOf = ({ work }: ZoneStatus): number =>
  URGENT.includes(work) ? URGENT.indexOf(work) : URGENT.length;

function summary(zones: readonly ZoneStatus[], findings: readonly Finding[]): string {
  const refused = findings.filter(({ code }) => REFUSED.includes(code));
  if (zones.length + refused.length === 0) {
    return findings.some(({ code }) => code === 'STATE_UNREAD')
      ? 'the zones of this folder are unknown: its state cannot be read'
      : 'no zone has legacy WAF resources or a managed ruleset here';
  }
  const toDo = zones.filter(({ work }) => work !== 'unprotected');
  const works = groupBy(toDo, (zone) => workOf(zone, zones.length === 1));
  const parts = [...works].map(([what, { length }]) => `${length} ${what}`);
  // such a zone can also have a next step
  const { length: off } = findings.filter(({ code }) => code === 'ZONE_UNPROTECTED');
  const without = off === 0 ? '' : `${off} ${WORK_WORDS.unprotected}`;
  const isDone = refused.length === 0 && zones.every(({ work }) => work === 'done');
  const others = findings.some(({ code }) => code === 'OTHER_WORKSPACES');
  // only Terraform compares what the files declare
  const isImported = zones.some(({ ruleset }) => ruleset.inState);
  const isUnknown = zones.some((one) => wafOf(one) === 'unknown');
  const done = `nothing is left to do${isUnknown ? ' in Terraform' : ''}${others ? ' in this workspace' : ''}${isImported ? ', if terraform plan changes no resource' : ''}`;
  const named = refused.map(({ subject }) => subject).filter(Boolean);
  const names = named.length === 0 ? '' : ` (${printable(listed(named), 300)})`;
  const missing = refused.length === 0 ? '' : `${refused.length} refused${names}`;
  return `${counted(zones.length, 'zone')}: ${isDone ? done : [parts.join(', '), without, missing].filter(Boolean).join('; ')}`;
}

/** The codes of entries of a list that are not a zone, or whose folder is another one. */
const REFUSED = ['ZONE_NOT_REACHED', 'ZONE_AMBIGUOUS', 'ZONE_CONTRADICTED', 'ZONE_NOT_PLANNED'];

/** What is left to do for a zone, after the number of zones. Titles of steps can name their zone. */
function workOf({ work, waitsAt }: ZoneStatus, isAlone: boolean): string {
  if (waitsAt === undefined) return WORK_WORDS[work];
  const title = isAlone ? ` (${printable(waitsAt.title, 100)})` : '';
  return `waiting at step ${printable(waitsAt.id, 10)}${title}`;
}

const HEADINGS = ['ZONE', 'WAF', 'ELIGIBLE', 'LEGACY RESOURCES', 'RULESET'];
/** A name is cut to the width of an id, so that the table fits a terminal. */
const LONGEST_NAME = 31;

function rowOf(zone: ZoneStatus): string[] {
  const { legacy, ruleset, blockedBy } = zone;
  const places = [
    ...(legacy.state === 0 ? [] : [`${legacy.state ?? '?'} in state`]),
    ...(legacy.configuration === 0 ? [] : [`${legacy.configuration ?? '?'} in files`]),
  ];
  const declared = ruleset.declared ? 'declared' : ruleset.inState === null ? '?' : '-';
  return [
    zone.name === undefined ? zone.zone : printable(zone.name, LONGEST_NAME),
    wafOf(zone),
    blockedBy === undefined ? '-' : blockedBy.length === 0 ? 'yes' : 'no',
    places.join(', ') || '-',
    ruleset.inState ? (ruleset.declared ? 'imported' : 'in state') : declared,
  ];
}

function wafOf({ oldWaf, newWaf }: Pick<ZoneStatus, 'oldWaf' | 'newWaf'>): string {
  if (oldWaf === 'unknown' && newWaf === 'unknown') return 'unknown';
  if (oldWaf === 'on') return newWaf === 'on' ? 'both' : 'legacy';
  return newWaf === 'on' ? 'new' : 'none';
}

function deployments({ deployed }: ZoneStatus): string[] {
  if (deployed.length === 0) return [];
  return [
    '',
    'Deployed managed rulesets:',
    ...deployed.flatMap(({ id, effect, expression, skippedWhere = [] }) => [
      `  ${shownDeployment({ rulesetId: id, effect })}`,
      ...(expression === 'true'
        ? []
        : wrapLines(`where ${printable(expression, 300)}`, '        ')),
      ...(skippedWhere.length === 0
        ? []
        : [`        after ${counted(skippedWhere.length, 'skip rule')}:`]),
      ...skippedWhere.flatMap((one) => wrapLines(`where ${printable(one, 300)}`, '          ')),
    ]),
  ];
}

export function nextCommands(commands: readonly string[], workspace: string): string[] {
  if (commands.length === 0) return [];
  const more = commands.length - MOST_LISTED;
  const isForAll = commands.every((one) => one.startsWith('terraform '));
  return [
    '',
    commands.length === 1 || isForAll ? 'Next:' : 'Next, one of:',
    ...commands
      .slice(0, MOST_LISTED)
      .map((one) => `  ${one.startsWith('TF_WORKSPACE=') ? '' : workspace}${one}`),
    ...(more > 0 ? [`  … and ${more} more, all in --json`] : []),
  ];
}
