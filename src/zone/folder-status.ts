import { type Client } from '../cloudflare/client';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import { type NamedZone, readKnownZones } from '../cloudflare/zones';
import { type Finding, isBlocker } from '../core/finding';
import { mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { type ProviderMajor } from '../core/provider-majors';
import { posixQuote } from '../core/posix-quote';
import { mustRemoveAll, rulesetsToImportAgain } from '../plan/facts/derive-facts';
import { type Plan } from '../plan/plan-schema';
import { isEntryPointOf } from '../plan/facts/ruleset-address';
import { initOf } from '../terraform/failures';
import { check } from './check';
import {
  type FolderFacts,
  foldersToApply,
  isOfOtherWorkspace,
  otherProvider,
  rulesetOf,
  zonesOf,
  zonesOfBlocks,
} from './folder-facts';
import {
  blocksNotApplied,
  declaredTwice,
  findingsOfFolder,
  stateUnread,
  statusOfOther,
  waitingForOthers,
} from './folder-findings';
import { type LiveStatus, readLiveStatus } from './live-status';

/**
 * What is left to do for a zone: `status` if it could not be read, `init` if Terraform cannot plan its folder before,
 * `apply` if a run was interrupted, `apply-blocks` if `terraform apply` runs the blocks of a merged pull request,
 * `by-hand` if two states have or declare its ruleset, `unprotected` if it migrated to no WAF, `generated` if its stack
 * is outside of the folders.
 */
export type Work =
  | ('blocked' | 'eligible' | 'review' | 'finish' | 'init' | 'plan' | 'apply' | 'apply-blocks')
  | ('generate' | 'status' | 'by-hand' | 'unprotected' | 'generated' | 'done');

/** What is left to do, after the number of zones. */
export const WORK_WORDS: Readonly<Record<Work, string>> = {
  blocked: 'blocked',
  eligible: 'eligible',
  review: 'in validation mode',
  finish: 'to finish',
  init: 'to plan',
  plan: 'to plan',
  apply: 'with an interrupted run',
  'apply-blocks': 'to apply with Terraform',
  generate: 'to generate',
  generated: 'with a stack that status does not read',
  status: 'that cannot be read',
  'by-hand': 'to correct by hand',
  unprotected: 'without a WAF',
  done: 'done',
};

export interface ZoneStatus extends Omit<LiveStatus, 'findings' | 'position'> {
  readonly zone: string;
  /** The domain, untrusted text. Absent without credentials or access to the zone. */
  readonly name?: string | undefined;
  /** Codes of the blockers. Absent if the migration has started, or without credentials. */
  readonly blockedBy?: readonly string[];
  /** Number of legacy resources and data sources: instances in the state, blocks in the configuration. */
  readonly legacy: { readonly state: number; readonly configuration: number };
  readonly ruleset: { readonly declared: boolean; readonly inState: boolean };
  readonly work: Work;
  /** The command to run next; null if nothing is left to do, or only by hand. */
  readonly next: string | null;
}

/** The JSON of `status`. */
export interface FolderStatus {
  /** The Terraform folders; empty if the user named only zones. */
  readonly folders: readonly { readonly dir: string; readonly provider: string | null }[];
  readonly zones: readonly ZoneStatus[];
  readonly findings: readonly Finding[];
}

/**
 * Reports for each zone which WAF is on, whether it can migrate, its blocks and resources, and the next command.
 * @param selected the zones to report; if empty, those of the folders
 * @param client undefined without credentials: then only the folders are read
 * @param flags added to the next `plan` command, so that it finds the folders
 * @param tell called for each zone of a list when it was read
 */
export async function folderStatus(
  folders: readonly FolderFacts[],
  selected: readonly StatusZone[],
  client: Client | undefined,
  flags: string,
  tell?: (zone: StatusZone, work: Work) => void,
): Promise<FolderStatus> {
  const blocks = folders.flatMap(zonesOfBlocks);
  // a block without a resource here can have one in another workspace
  const own = folders.filter(({ otherWorkspaces }) => otherWorkspaces.length === 0);
  const certain = own.length === folders.length ? blocks : own.flatMap(zonesOfBlocks);
  const inState = zoneOfEachResource(folders);
  const inConfiguration = blocks.flatMap((zones) => [...zones]);
  const ids = zonesOf(folders, [...inState, ...inConfiguration]).map((id) => ({ id }));
  const zones = await withNames(client, selected.length > 0 ? selected : ids);
  const isAlone = zones.length === 1 && tell === undefined;
  const found = await mapConcurrently(zones, CONNECTIONS, async (zone): Promise<Found> => {
    const { position, findings, ...status } = await readLive(client, zone, isAlone);
    const live = { position, findings };
    const count = (all: readonly string[]): number => all.filter((id) => id === zone.id).length;
    const known = {
      ...{ zone: zone.id, ...status, ruleset: rulesetOf(folders, zone.id) },
      legacy: { state: count(inState), configuration: count(inConfiguration) },
    };
    const twice = declaredTwice(folders, zone.id);
    const left = {
      isTwice: twice.length > 0,
      hasBlocks: certain.some((zones) => zones.has(zone.id)),
      hasBlocksWithoutZone: certain.some(({ size }) => size === 0),
    };
    const step = nextStep(known, live, folders, left);
    tell?.(zone, step.work);
    return { known, ...step, findings: [...findings, ...twice] };
  });
  found.sort(({ known: one }, { known: other }) =>
    (one.name ?? one.zone).localeCompare(other.name ?? other.zone, 'en', { numeric: true }),
  );
  const heldBack = folders.filter((folder) => isHeldBack(folder, found));
  const waiting = namesOf(found.filter(isWaiting), ', ');
  return {
    folders: folders.map(({ dir, installed = null }) => ({ dir, provider: installed })),
    zones: withNext(found, folders, heldBack, flags),
    findings: [
      ...folders.flatMap(stateUnread),
      ...(client === undefined ? [API_NOT_ASKED] : []),
      ...found.flatMap(({ known: { zone }, work, findings }) => [
        ...findings,
        ...(work === 'apply-blocks' ? [blocksNotApplied(zone)] : []),
      ]),
      ...heldBack.flatMap((folder) => waitingForOthers(folder, waiting)),
      ...folders.flatMap(findingsOfFolder),
    ],
  };
}

const zoneOfEachResource = (folders: readonly FolderFacts[]): string[] =>
  folders.flatMap((one) => one.legacyResources.flatMap(({ zoneId }) => zoneId ?? []));

const API_NOT_ASKED: Finding = {
  code: 'API_NOT_ASKED',
  severity: 'info',
  subject: 'credentials',
  message: 'no credentials are set, so it is unknown which WAF is on',
  remedy: 'set CLOUDFLARE_API_TOKEN first: without it, `plan` needs --ruleset-id',
};

type Live = LiveStatus & Pick<ZoneStatus, 'name' | 'blockedBy'>;

const UNASKED: Live = {
  ...{ oldWaf: 'unknown', newWaf: 'unknown', migrationState: 'unknown' },
  ...{ deployed: [], position: 'unknown', findings: [] },
};

type StatusZone = Pick<NamedZone, 'id'> & Partial<NamedZone>;

async function withNames(
  client: Client | undefined,
  zones: readonly StatusZone[],
): Promise<readonly StatusZone[]> {
  if (client === undefined) return zones;
  const unnamed = zones.flatMap(({ id, name }) => (name === undefined ? [id] : []));
  const known = await readKnownZones(client, unnamed);
  return zones.map((zone) => known.get(zone.id) ?? zone);
}

/** Reads the live status of a zone. With several zones, an API error becomes a finding. */
async function readLive(
  client: Client | undefined,
  { id: zoneId, name }: StatusZone,
  isAlone: boolean,
): Promise<Live> {
  if (client === undefined) return UNASKED;
  try {
    const live = { name, ...(await readLiveStatus(client, zoneId)) };
    if (live.position !== 'start') return live;
    const checked = await check(client, zoneId);
    const blockers = checked.findings.filter(isBlocker);
    const blockedBy = [...new Set(blockers.map(({ code }) => code))];
    return { ...live, blockedBy, findings: [...live.findings, ...blockers] };
  } catch (error) {
    if (isAlone || !(error instanceof MigrationError)) throw error;
    const { code, message, hint: remedy } = error;
    const finding: Finding = { code, severity: 'decision', subject: zoneId, message, remedy };
    return { ...UNASKED, position: 'unread', findings: [finding] };
  }
}

type Known = Omit<ZoneStatus, 'work' | 'next'>;

/** The work of a zone by its own status alone. */
interface Step {
  readonly work: Work;
  /** Without one, what is left is done by hand, or by the plan of all zones. */
  readonly command?: string | undefined;
  readonly to?: ProviderMajor | undefined;
}

interface Found extends Step {
  readonly known: Known;
  readonly findings: readonly Finding[];
}

/** The work of a zone, by the first matching row. */
function nextStep(
  known: Known,
  { position, findings }: Pick<Live, 'position' | 'findings'>,
  folders: readonly FolderFacts[],
  left: Readonly<Record<'isTwice' | 'hasBlocks' | 'hasBlocksWithoutZone', boolean>>,
): Step {
  const { zone: id, blockedBy = [], legacy, ruleset, deployed } = known;
  const zone = shownName(known);
  const hasFolder = folders.length > 0;
  const hasNoWaf =
    deployed.length === 0 && findings.some(({ code }) => code === 'ZONE_UNPROTECTED');
  const holds = ({ rulesets }: FolderFacts): boolean => rulesets.some(isEntryPointOf(id));
  const isElsewhere = folders.some((one) => isOfOtherWorkspace(one, id));
  const isUnreadable = folders.some((one) => holds(one) && rulesetsToImportAgain(one).length > 0);
  const [other] = folders
    .filter((one) => holds(one) || one.declared.some(({ zoneId }) => zoneId === id))
    .flatMap((one) => otherProvider(one) ?? []);
  const [toApply] = isElsewhere ? [] : foldersToApply(folders, id);
  const isDeclared = ruleset.declared || ruleset.inState;
  const later = other?.isLater === true ? other.major : undefined;
  const rows: readonly (readonly [boolean, Work, string?, (ProviderMajor | undefined)?])[] = [
    // without its status, no step is right
    [position === 'unread', 'status', ours(`status --zone ${id}`)],
    [
      position === 'start',
      blockedBy.length === 0 ? 'eligible' : 'blocked',
      ours(`check --zone ${zone}`),
    ],
    [position === 'validation', 'review', ours(`review --zone ${zone} --since 6h`)],
    [position === 'moving', 'finish', ours(`finish --zone ${zone}`)],
    // there is no entry point to import, and no command deploys a managed ruleset
    [hasNoWaf, 'unprotected'],
    [toApply !== undefined, 'apply-blocks', terraformIn(toApply?.dir ?? '.', 'apply')],
    [legacy.state > 0 || left.hasBlocks, 'plan'],
    // two states must not have one ruleset
    [isElsewhere && !ruleset.inState, left.isTwice ? 'by-hand' : 'done'],
    [hasFolder && ruleset.declared !== ruleset.inState, 'plan'],
    [left.isTwice, 'by-hand'],
    // the provider was upgraded by hand, and no other plan of Terraform works
    [isUnreadable, 'plan'],
    // Terraform plans nothing before the provider or the files change
    [other !== undefined, 'plan', '', later],
    // the zone of these blocks is unknown, so it can be this one
    [left.hasBlocksWithoutZone, 'plan'],
    [legacy.configuration > 0, 'done'],
    [!isDeclared && deployed.length > 0, 'generate', ours(`generate --zone ${zone}`)],
  ];
  const [, work, command, to] = rows.find(([fits]) => fits) ?? [true, 'done'];
  return { work, command, to };
}

const ours = (command: string): string => `cf-waf-migrate ${command}`;

/**
 * Adds the next command of each zone. One plan is for all zones that can be planned: it names them, unless they are all
 * zones of the states. A zone that has to be planned together with one that has not migrated gets the command of that zone.
 */
function withNext(
  found: readonly Found[],
  folders: readonly FolderFacts[],
  heldBack: readonly FolderFacts[],
  flags: string,
): ZoneStatus[] {
  const waiting = found.find(isWaiting);
  const held = new Set(zoneOfEachResource(heldBack));
  const isReady = ({ known, work }: Found): boolean => work === 'plan' && !held.has(known.zone);
  const ready = found.filter(isReady);
  const isAll =
    !ready.some(({ known }) => isLeftOut(known)) &&
    zoneOfEachResource(folders).every((id) => ready.some(({ known }) => known.zone === id));
  // a version is for all folders of a plan
  const [to, ...others] = [...new Set(ready.map((one) => one.to))];
  const version = to === undefined || others.length > 0 ? '' : ` --to ${to}`;
  const names = isAll ? '' : ` --zone ${namesOf(ready, ' ')}`;
  const init = folders.map(initCommand).find((one) => one !== undefined);
  const isDone = found.every(({ work }) => work === 'done');
  const ofOther = isDone ? folders.map(statusOfOther).find((one) => one !== undefined) : undefined;
  return found.map((one): ZoneStatus => {
    const { known, work, command = ofOther ?? null } = one;
    if (work !== 'plan') return { ...known, work, next: command };
    if (!isReady(one)) return { ...known, work: 'blocked', next: waiting?.command ?? null };
    return init === undefined
      ? { ...known, work, next: ours(`plan${names}${flags}${version}`) }
      : { ...known, work: 'init', next: init };
  });
}

/** Whether a plan of all zones leaves a zone out: it has no legacy resources, only blocks, or a ruleset to import or declare. */
const isLeftOut = ({ legacy, ruleset }: Known): boolean =>
  legacy.state === 0 && (legacy.configuration > 0 || ruleset.declared !== ruleset.inState);

/** A step that comes before anything else is planned or applied in this folder, but after `terraform init`. */
export function withFirstStep(
  zones: readonly ZoneStatus[],
  plan: Pick<Plan, 'zones'>,
  step: Pick<ZoneStatus, 'work' | 'next'>,
): ZoneStatus[] {
  const planned = plan.zones.map(({ zoneId }) => zoneId);
  return zones.map((zone) =>
    ['plan', 'apply-blocks'].includes(zone.work) ||
    (['done', 'generate', 'by-hand'].includes(zone.work) && planned.includes(zone.zone))
      ? { ...zone, ...step }
      : zone,
  );
}

/** Terraform cannot plan a folder before it. */
function initCommand(folder: FolderFacts): string | undefined {
  const other = otherProvider(folder);
  const isEarlier = other?.isRequired === true && !other.isLater;
  const init = isEarlier ? 'init -upgrade' : initOf(folder.unread?.hint);
  return init && terraformIn(folder.dir, init);
}

function terraformIn(dir: string, words: string): string {
  return `terraform${dir === '.' ? '' : ` -chdir=${posixQuote(dir)}`} ${words}`;
}

/** Whether a zone with legacy resources in a state has not migrated. */
const isWaiting = ({ known, work }: Found): boolean =>
  known.legacy.state > 0 && work !== 'plan' && work !== 'apply-blocks';

const namesOf = (zones: readonly Found[], separator: string): string =>
  zones.map(({ known }) => shownName(known)).join(separator);

/** Whether the zones of a state have to be planned together, and one of them has not migrated. */
function isHeldBack(folder: FolderFacts, found: readonly Found[]): boolean {
  const waiting = new Set(found.filter(isWaiting).map(({ known }) => known.zone));
  const isOne = folder.legacyResources.some(({ zoneId = '' }) => waiting.has(zoneId));
  return isOne && mustRemoveAll(folder);
}

/** A name that needs no quotes in a command. */
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const shownName = ({ name = '', zone }: Pick<ZoneStatus, 'name' | 'zone'>): string =>
  DOMAIN.test(name) ? name : zone;
