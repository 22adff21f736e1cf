import { type Client } from '../cloudflare/client';
import { isRefusal } from '../cloudflare/refusals';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import { type KnownZone, readKnownZones } from '../cloudflare/zones';
import { type Finding, isBlocker } from '../core/finding';
import { mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { mustRemoveAll } from '../plan/facts/remove-all';
import { isEntryPointOf } from '../plan/facts/ruleset-address';
import { check } from './check';
import { type FolderFacts, rulesetOf, zonesOfFolder } from './folder-facts';
import {
  blocksNotApplied,
  blocksToDelete,
  declaredTwice,
  findingsOfFolder,
  notLive,
  notShown,
  stateUnread,
  waitingForOthers,
} from './folder-findings';
import { type LiveStatus, readLiveStatus } from './live-status';
import {
  type Found,
  isHeldBack,
  waitingIn,
  namesOf,
  stepOfFolders,
  stepOfMigration,
  withNext,
  type ZoneStatus,
} from './next-step';

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
 * @param list the list that the zones are from; `tell` is called for each of them when it was read
 */
export async function folderStatus(
  folders: readonly FolderFacts[],
  selected: readonly KnownZone[],
  client: Client | undefined,
  flags: string,
  list?: {
    readonly ids: ReadonlySet<string>;
    readonly tell: (zone: KnownZone, isRead: boolean) => void;
  },
): Promise<FolderStatus> {
  const ids = [...new Set(folders.flatMap(zonesOfFolder))].map((id) => ({ id }));
  const zones = await withNames(client, selected.length > 0 ? selected : ids);
  const isAlone = zones.length === 1 && list === undefined;
  const found = await mapConcurrently(zones, CONNECTIONS, async (zone): Promise<Found> => {
    const one = statusOfZone(zone.id, await readLive(client, zone, isAlone), folders);
    list?.tell(zone, one.work !== 'status');
    return one;
  });
  found.sort(({ known: one }, { known: other }) =>
    (one.name ?? one.zone).localeCompare(other.name ?? other.zone, 'en', { numeric: true }),
  );
  const shown = list?.ids ?? new Set(zones.map(({ id }) => id));
  const heldBack = folders.filter((folder) => isHeldBack(folder, found));
  // a user who names one zone may plan it alone; a list may lack a zone by mistake
  const others = folders.filter((folder) => list !== undefined || mustRemoveAll(folder));
  const isChosen = list === undefined && folders.some(({ unread }) => unread === undefined);
  return {
    folders: folders.map(({ dir, installed = null }) => ({ dir, provider: installed })),
    zones: withNext(found, folders, heldBack, flags),
    findings: [
      ...folders.flatMap((one) => stateUnread(one, isChosen)),
      ...(client === undefined ? [API_NOT_CALLED] : []),
      ...found.flatMap((one) => one.findings),
      ...heldBack.flatMap((folder) =>
        waitingForOthers(folder, namesOf(waitingIn(folder, found), ', ')),
      ),
      ...others.flatMap((folder) => notShown(folder, shown)),
      ...folders.flatMap(findingsOfFolder),
    ],
  };
}

function statusOfZone(
  id: string,
  { position, findings, rulesetId, ...shown }: Live,
  folders: readonly FolderFacts[],
): Found {
  const resources = folders.flatMap(({ legacyResources }) =>
    legacyResources.filter(({ zoneId }) => zoneId === id),
  );
  const blocks = folders.flatMap(({ blockZones }) => blockZones.filter((zones) => zones.has(id)));
  const known = {
    zone: id,
    ...shown,
    ruleset: rulesetOf(folders, id),
    legacy: { state: resources.length, configuration: blocks.length },
  };
  const toMigrate = stepOfMigration(known, { position, findings });
  const wrong = [...declaredTwice(folders, id), ...notLive(folders, id, rulesetId)];
  const left = toMigrate === undefined ? blocksToDelete(folders, id) : [];
  const isTainted = folders.some(({ rulesets }) =>
    rulesets.filter(isEntryPointOf(id)).some((one) => one.isTainted),
  );
  // folders can share files, and one of them may be that of the environment
  const isOfOthers =
    !known.ruleset.declared && folders.some((one) => one.declaredElsewhere?.includes(id));
  const needsCorrection = wrong.length > 0 || isTainted;
  const step = toMigrate ?? stepOfFolders(known, folders, isOfOthers, needsCorrection);
  // the plan that imported its ruleset required this decision; `status` of one folder checks that it did
  const live = findings.map((one) =>
    one.code === 'ZONE_UNPROTECTED' && step.work === 'done'
      ? ({ ...one, severity: 'info' } as const)
      : one,
  );
  const pending = step.work === 'apply-blocks' ? [blocksNotApplied(id)] : [];
  return { known, ...step, findings: [...live, ...wrong, ...left, ...pending] };
}

const API_NOT_CALLED: Finding = {
  code: 'API_NOT_ASKED',
  severity: 'info',
  subject: 'credentials',
  message: 'no credentials are set, so it is unknown which WAF is on',
  remedy: 'set CLOUDFLARE_API_TOKEN first: without it, `plan` needs --ruleset-id',
};

const ZONE_LEFT =
  'if the zone has left the account, remove its resources with `terraform state rm`, and their blocks';

type Live = LiveStatus & Pick<ZoneStatus, 'name' | 'blockedBy'>;

const UNASKED: Live = {
  oldWaf: 'unknown',
  newWaf: 'unknown',
  migrationState: 'unknown',
  deployed: [],
  position: 'unknown',
  findings: [],
};

async function withNames(
  client: Client | undefined,
  zones: readonly KnownZone[],
): Promise<readonly KnownZone[]> {
  if (client === undefined) return zones;
  const unnamed = zones.flatMap(({ id, name }) => (name === undefined ? [id] : []));
  const known = await readKnownZones(client, unnamed);
  return zones.map((zone) => known.get(zone.id) ?? zone);
}

/** Reads the live status of a zone. With several zones, an API error becomes a finding. */
async function readLive(
  client: Client | undefined,
  { id: zoneId, name }: KnownZone,
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
    if (!(error instanceof MigrationError)) throw error;
    const { code, message, hint } = error;
    const remedy = isRefusal(error) ? `${hint}; ${ZONE_LEFT}` : hint;
    if (isAlone) throw error.withHint(remedy);
    const finding: Finding = { code, severity: 'decision', subject: zoneId, message, remedy };
    return { ...UNASKED, name, position: 'unread', findings: [finding] };
  }
}
