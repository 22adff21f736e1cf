import { type Client } from '../cloudflare/client';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import { LISTED_FROM, type NamedZone, readKnownZones, readZone } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { isIdentifier } from '../core/identifier';
import { compareTexts, mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { withoutKeys } from '../core/resource-address';
import { planFolder } from '../files/paths';
import { type StateFacts } from '../plan/facts';
import { isEntryPointOf } from '../plan/owners';
import { readStateOfDir } from '../plan/read/read-facts';
import { declaredRulesets } from '../project/declared-rulesets';
import { requireConfiguration } from '../project/read-configuration';
import { type TerraformOptions } from '../terraform/run-terraform';
import { type ConfigProject } from '../tfconfig/config';
import { addressesOf, findBlocksOfTypes } from '../tfconfig/find-blocks';
import { legacyWafTypes } from '../tfstate/legacy-waf-types';
import { check } from './check';
import { status, type LiveStatus } from './status';

/** What the Cloudflare API and the folders say of one zone. */
export interface ZoneStatus extends Omit<LiveStatus, 'findings' | 'position'> {
  /** Its id. */
  readonly zone: string;
  /** The domain; hostile text. Absent where the API was not asked, or does not reach the zone. */
  readonly name?: string | undefined;
  /** Codes of what blocks the migration; absent where it has begun, or the API was not asked. */
  readonly blockedBy?: readonly string[];
  /** Legacy resources and data sources: instances in the state, blocks in the configuration. */
  readonly legacy: { readonly state: number; readonly configuration: number };
  readonly ruleset: { readonly declared: boolean; readonly inState: boolean };
  /** The command to run next; null where nothing is left to do. */
  readonly next: string | null;
}

/** What `status` knows of a Terraform folder. */
export interface FolderFacts extends Pick<
  StateFacts,
  'dir' | 'legacyResources' | 'rulesets' | 'declared' | 'configuration' | 'installed'
> {
  /** Why the state is not known. */
  readonly unread?: MigrationError;
}

/** The JSON of `status`. */
export interface FolderStatus {
  /** The Terraform folders; empty where zones were named without one. */
  readonly folders: readonly { readonly dir: string; readonly provider: string | null }[];
  readonly zones: readonly ZoneStatus[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the state and the configuration of a Terraform folder; where the state cannot be read, only the configuration.
 * @param dir absolute
 * @param cwd the folder that others are named relative to
 * @throws MigrationError `CONFIG_INVALID`, `CONFIG_EDIT_REFUSED`
 */
export async function readFolder(
  dir: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  cwd: string,
): Promise<FolderFacts> {
  try {
    return await readStateOfDir(dir, terraform, {}, cwd);
  } catch (unread) {
    if (!(unread instanceof MigrationError) || unread.code.startsWith('CONFIG_')) throw unread;
    const place = planFolder(cwd, dir);
    const configuration = await requireConfiguration(place, cwd);
    const declared = configuration === undefined ? [] : declaredRulesets(configuration);
    const known = { dir: place, configuration, declared, installed: undefined };
    return { ...known, legacyResources: [], rulesets: [], unread };
  }
}

/**
 * Each zone of the folders, or each that is named: which WAF is on, whether it can migrate, what the folders hold of
 * it, and the next command.
 * @param selected zones that are named; where there are none, those of the folders
 * @param client undefined without credentials: then only the folders are read
 * @param flags what `plan` needs to find the folders
 * @throws MigrationError what the API answers for a zone that is the only one
 */
export async function folderStatus(
  folders: readonly FolderFacts[],
  selected: readonly StatusZone[],
  client: Client | undefined,
  flags: string,
): Promise<FolderStatus> {
  const held = folders.map(legacyOf);
  const ids = selected.length > 0 ? selected : zonesOf(folders, held).map((id) => ({ id }));
  const zones = client === undefined ? ids : await withNames(client, ids);
  const found = await mapConcurrently(zones, CONNECTIONS, async (one) => {
    const zone = one.id;
    const { position, findings, ...live } = await readLive(client, one, zones.length === 1);
    const known = {
      ...{ zone, ...live },
      legacy: {
        state: sum(held.map(({ state }) => state.get(zone))),
        configuration: sum(held.map(({ configuration }) => configuration.get(zone))),
      },
      ruleset: {
        declared: folders.some(({ declared }) => declared.some((one) => one.zoneId === zone)),
        inState: folders.some(({ rulesets }) => rulesets.some(isEntryPointOf(zone))),
      },
    };
    const command = nextCommand({ ...known, position }, folders.length > 0);
    const isPlan = command?.startsWith('plan') === true;
    const next = command === undefined ? null : `cf-waf-migrate ${command}${isPlan ? flags : ''}`;
    return { status: { ...known, next }, findings };
  });
  return {
    folders: folders.map(({ dir, installed = null }) => ({ dir, provider: installed })),
    zones: found.map((one) => one.status).sort(byName),
    findings: [
      ...folders.flatMap(({ dir, unread }) => (unread ? [stateUnread(dir, unread)] : [])),
      ...(client === undefined ? [apiNotAsked] : []),
      ...found.flatMap((one) => one.findings),
    ],
  };
}

function byName(one: ZoneStatus, other: ZoneStatus): number {
  const names = [one.name ?? one.zone, other.name ?? other.zone] as const;
  return (
    names[0].localeCompare(names[1], 'en', { numeric: true }) || compareTexts(one.zone, other.zone)
  );
}

const apiNotAsked: Finding = {
  code: 'API_NOT_ASKED',
  severity: 'info',
  subject: 'credentials',
  message: 'no credentials are set: without the Cloudflare API, which WAF is on is unknown',
  remedy: 'set CLOUDFLARE_API_TOKEN, then run the command again',
};

function stateUnread(dir: string, { message, hint }: MigrationError): Finding {
  return {
    code: 'STATE_UNREAD',
    severity: 'decision',
    subject: dir,
    message: `the state cannot be read, so its resources are not counted: ${message}`,
    remedy: hint,
  };
}

interface Live extends LiveStatus {
  readonly name?: string | undefined;
  readonly blockedBy?: readonly string[];
}

const UNASKED: Live = {
  ...{ oldWaf: 'unknown', newWaf: 'unknown', migrationState: 'unknown' },
  ...{ deployed: [], position: 'unknown', findings: [] },
};

type StatusZone = Pick<NamedZone, 'id'> & Partial<NamedZone>;

/** Many zones with the name that the list of zones has; few are asked for one by one. */
async function withNames(
  client: Client,
  zones: readonly StatusZone[],
): Promise<readonly StatusZone[]> {
  if (zones.length < LISTED_FROM || zones.every(({ name }) => name !== undefined)) return zones;
  const known = await readKnownZones(
    client,
    zones.map(({ id }) => id),
  );
  return zones.map((zone) => known.get(zone.id) ?? zone);
}

/** Of many zones, one that the API refuses is a finding. */
async function readLive(
  client: Client | undefined,
  zone: StatusZone,
  isAlone: boolean,
): Promise<Live> {
  if (client === undefined) return UNASKED;
  const zoneId = zone.id;
  try {
    const [{ name }, { findings, ...live }] = await Promise.all([
      zone.name === undefined ? readZone(client, zoneId) : zone,
      status(client, zoneId, { named: isAlone }),
    ]);
    if (live.position !== 'start') return { name, ...live, findings };
    const checked = await check(client, zoneId);
    const blockers = checked.findings.filter(({ severity }) => severity === 'blocker');
    const blockedBy = [...new Set(blockers.map(({ code }) => code))];
    return { name, ...live, blockedBy, findings: [...findings, ...blockers] };
  } catch (error) {
    if (isAlone || !(error instanceof MigrationError)) throw error;
    const { code, message, hint } = error;
    const finding = { code, severity: 'decision', subject: zoneId, message, remedy: hint } as const;
    return { ...UNASKED, findings: [finding] };
  }
}

type Known = Omit<ZoneStatus, 'next'> & Pick<Live, 'position'>;

/** A name that a command takes as it is. */
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** The first row that fits; undefined where none does. */
function nextCommand(known: Known, hasFolder: boolean): string | undefined {
  const { name = '', legacy, ruleset, position, deployed } = known;
  const zone = DOMAIN.test(name) ? name : known.zone;
  const isDeclared = ruleset.declared || ruleset.inState;
  const rows: readonly (readonly [boolean, string])[] = [
    [position === 'start', `check --zone ${zone}`],
    [position === 'validation', `review --zone ${zone} --since 6h`],
    [position === 'moving', `finish --zone ${zone}`],
    [hasFolder && legacy.state + legacy.configuration > 0, 'plan'],
    [hasFolder && ruleset.declared && !ruleset.inState, `plan --zone ${zone}`],
    [!isDeclared && deployed.length > 0, `generate --zone ${zone}`],
  ];
  return rows.find(([fits]) => fits)?.[1];
}

/** How many legacy instances and blocks a folder has, by zone. */
interface LegacyCounts {
  readonly state: ReadonlyMap<string, number>;
  readonly configuration: ReadonlyMap<string, number>;
}

function legacyOf({ legacyResources, configuration }: FolderFacts): LegacyCounts {
  const inState = new Map<string, number>();
  const byBlock = new Map<string, Set<string>>();
  for (const { address, zoneId } of legacyResources) {
    if (zoneId === undefined) continue;
    inState.set(zoneId, (inState.get(zoneId) ?? 0) + 1);
    const block = withoutKeys(address);
    byBlock.set(block, (byBlock.get(block) ?? new Set()).add(zoneId));
  }
  const blocks = configuration === undefined ? [] : blockZones(configuration.project, byBlock);
  const inConfiguration = new Map<string, number>();
  for (const zones of blocks)
    for (const zone of zones) inConfiguration.set(zone, (inConfiguration.get(zone) ?? 0) + 1);
  return { state: inState, configuration: inConfiguration };
}

/** The zones of each legacy block: what it says, or where that is an expression, what the state has at its address. */
function blockZones(
  project: ConfigProject,
  byBlock: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string>[] {
  return findBlocksOfTypes(project, legacyWafTypes).map(({ file, block }) => {
    const named = block.body.get('zone_id');
    if (typeof named === 'string') return new Set(isIdentifier(named) ? [named] : []);
    const addresses = addressesOf(project, file, block.address);
    return new Set(addresses.flatMap((one) => [...(byBlock.get(one) ?? [])]));
  });
}

function zonesOf(folders: readonly FolderFacts[], held: readonly LegacyCounts[]): string[] {
  const ofLegacy = held.flatMap(({ state, configuration }) => [
    ...state.keys(),
    ...configuration.keys(),
  ]);
  const ofRulesets = folders.flatMap(({ rulesets, declared }) => [
    ...rulesets.filter((one) => one.zoneId !== undefined && isEntryPointOf(one.zoneId)(one)),
    ...declared,
  ]);
  const zones = [...ofLegacy, ...ofRulesets.flatMap(({ zoneId = '' }) => zoneId)];
  return [...new Set(zones)].filter(isIdentifier);
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, one = 0) => total + one, 0);
