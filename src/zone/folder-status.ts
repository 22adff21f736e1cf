import { type Client } from '../cloudflare/client';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import { type NamedZone, readKnownZones } from '../cloudflare/zones';
import { type Finding, isBlocker } from '../core/finding';
import { mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { mustRemoveAll, rulesetsToImportAgain } from '../plan/facts/derive-facts';
import { type Plan } from '../plan/plan-schema';
import { isEntryPointOf } from '../plan/facts/ruleset-address';
import { initOf } from '../terraform/failures';
import { check } from './check';
import {
  type FolderFacts,
  foldersToApply,
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
  waitingForOthers,
} from './folder-findings';
import { type LiveStatus, readLiveStatus } from './live-status';

/**
 * What is left to do for a zone: `status` if it could not be read, `apply` if a run was interrupted, `apply-blocks` if
 * `terraform apply` runs the blocks of a merged pull request, `unprotected` if it migrated to no WAF, `generated` if its
 * stack is outside of the folders.
 */
export type Work =
  | ('blocked' | 'eligible' | 'review' | 'finish' | 'plan' | 'apply' | 'apply-blocks' | 'generate')
  | ('status' | 'unprotected' | 'generated' | 'done');

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
    const hasBlocksWithoutZone = blocks.some(({ size }) => size === 0);
    const [work, command] = nextStep(known, live, folders, hasBlocksWithoutZone);
    tell?.(zone, work);
    return { known, work, command, findings };
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
        ...declaredTwice(folders, zone),
      ]),
      ...heldBack.flatMap((folder) => waitingForOthers(folder, waiting)),
      ...folders.flatMap(findingsOfFolder),
    ],
  };
}

/** The zone of each legacy resource, data sources included. */
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

/** A zone, and the work and the command by its own status alone. */
interface Found {
  readonly known: Known;
  readonly work: Work;
  readonly command: string;
  readonly findings: readonly Finding[];
}

/** The work of a zone and its command, by the first matching row. */
function nextStep(
  known: Known,
  { position, findings }: Pick<Live, 'position' | 'findings'>,
  folders: readonly FolderFacts[],
  hasBlocksWithoutZone: boolean,
): readonly [Work, string] {
  const { zone: id, blockedBy = [], legacy, ruleset, deployed } = known;
  const zone = shownName(known);
  const hasFolder = folders.length > 0;
  const hasNoWaf =
    deployed.length === 0 && findings.some(({ code }) => code === 'ZONE_UNPROTECTED');
  const isElsewhere = folders.some((one) => one.importedElsewhere?.includes(id));
  const isUnreadable = folders.some(
    (one) => one.rulesets.some(isEntryPointOf(id)) && rulesetsToImportAgain(one).length > 0,
  );
  const other = folders
    .filter(
      ({ rulesets, declared }) =>
        rulesets.some(isEntryPointOf(id)) || declared.some(({ zoneId }) => zoneId === id),
    )
    .map(otherProvider)
    .find((one) => one !== undefined);
  const [toApply] = foldersToApply(folders, id);
  const isDeclared = ruleset.declared || ruleset.inState;
  const rows: readonly (readonly [boolean, Work, string])[] = [
    // without its status, no step is right
    [position === 'unread', 'status', `status --zone ${id}`],
    [position === 'start', blockedBy.length === 0 ? 'eligible' : 'blocked', `check --zone ${zone}`],
    [position === 'validation', 'review', `review --zone ${zone} --since 6h`],
    [position === 'moving', 'finish', `finish --zone ${zone}`],
    // there is no entry point to import, and no command deploys a managed ruleset
    [hasNoWaf, 'unprotected', ''],
    [toApply !== undefined, 'apply-blocks', terraformIn(toApply?.dir ?? '.', 'apply')],
    [hasFolder && legacy.state + legacy.configuration > 0, 'plan', 'plan'],
    // two states must not have one ruleset
    [isElsewhere && !ruleset.inState, 'done', ''],
    [hasFolder && ruleset.declared !== ruleset.inState, 'plan', 'plan --zone'],
    // the provider was upgraded by hand, and no other plan of Terraform works
    [isUnreadable, 'plan', 'plan'],
    // Terraform plans nothing before the provider or the files change
    [other !== undefined, 'plan', other?.isLater === true ? `plan --to ${other.major}` : 'plan'],
    // the zone of these blocks is unknown, so it can be this one
    [hasBlocksWithoutZone, 'plan', 'plan'],
    [!isDeclared && deployed.length > 0, 'generate', `generate --zone ${zone}`],
  ];
  const [, ...step] = rows.find(([fits]) => fits) ?? [true, 'done', ''];
  return step;
}

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
    ready.every(({ command }) => command !== 'plan --zone') &&
    zoneOfEachResource(folders).every((id) => ready.some(({ known }) => known.zone === id));
  // a version is for all folders of a plan
  const [to = '', another] = new Set(
    ready.map(({ command }) => / --to \d$/.exec(command)?.[0] ?? ''),
  );
  const plan =
    folders.map(initCommand).find((init) => init !== undefined) ??
    `cf-waf-migrate plan${isAll ? '' : ` --zone ${namesOf(ready, ' ')}`}${flags}${another === undefined ? to : ''}`;
  return found.map((one): ZoneStatus => {
    const { known, work, command } = one;
    if (command === '') return { ...known, work, next: null };
    if (isReady(one)) return { ...known, work, next: plan };
    if (work === 'apply-blocks') return { ...known, work, next: command };
    if (work !== 'plan') return { ...known, work, next: `cf-waf-migrate ${command}` };
    return { ...known, work: 'blocked', next: `cf-waf-migrate ${waiting?.command ?? command}` };
  });
}

/** A step that comes before anything else is planned or applied in this folder, but after `terraform init`. */
export function withFirstStep(
  zones: readonly ZoneStatus[],
  plan: Pick<Plan, 'zones'>,
  step: Pick<ZoneStatus, 'work' | 'next'>,
): ZoneStatus[] {
  const planned = plan.zones.map(({ zoneId }) => zoneId);
  return zones.map((zone) =>
    zone.next?.startsWith('cf-waf-migrate plan') === true ||
    zone.work === 'apply-blocks' ||
    (zone.work === 'done' && planned.includes(zone.zone))
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
