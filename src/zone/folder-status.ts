import { type Client } from '../cloudflare/client';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import { type NamedZone, readKnownZones } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { isIdentifier } from '../core/identifier';
import { groupBy, mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { withoutKeys } from '../core/resource-address';
import { planFolder } from '../files/paths';
import { type StateFacts } from '../plan/facts/facts';
import { isEntryPointOf } from '../plan/facts/owners';
import { isUndeclared } from '../plan/facts/plan-removal';
import { readStateOfDir } from '../plan/facts/read-facts';
import { declaredRulesets } from '../project/declared-rulesets';
import { requireConfiguration } from '../project/read-configuration';
import { type TerraformOptions } from '../terraform/run-terraform';
import { addressesOf, findBlocksOfTypes } from '../tfconfig/find-blocks';
import { legacyWafTypes } from '../tfstate/legacy-waf-types';
import { check } from './check';
import { status, type LiveStatus } from './status';

/** The status of one zone, from the Cloudflare API and the folders. */
export interface ZoneStatus extends Omit<LiveStatus, 'findings' | 'position'> {
  /** The zone id. */
  readonly zone: string;
  /** The domain, untrusted text. Absent without credentials or access to the zone. */
  readonly name?: string | undefined;
  /** Codes of the blockers. Absent if the migration has started, or without credentials. */
  readonly blockedBy?: readonly string[];
  /** Number of legacy resources and data sources: instances in the state, blocks in the configuration. */
  readonly legacy: { readonly state: number; readonly configuration: number };
  readonly ruleset: { readonly declared: boolean; readonly inState: boolean };
  /** The command to run next; null if nothing is left to do. */
  readonly next: string | null;
}

/** The facts that `status` needs of a Terraform folder. */
export interface FolderFacts extends Pick<
  StateFacts,
  'dir' | 'legacyResources' | 'rulesets' | 'declared' | 'configuration' | 'installed'
> {
  /** Why the state could not be read. */
  readonly unread?: MigrationError;
}

/** The JSON of `status`. */
export interface FolderStatus {
  /** The Terraform folders; empty if the user named only zones. */
  readonly folders: readonly { readonly dir: string; readonly provider: string | null }[];
  readonly zones: readonly ZoneStatus[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the state and the configuration of a Terraform folder; an unreadable state counts as empty.
 * @param dir absolute path
 * @param cwd the folder that shown paths are relative to
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
 * Reports for each zone which WAF is on, whether it can migrate, its blocks and resources, and the next command.
 * @param selected the zones to report; if empty, those of the folders
 * @param client undefined without credentials: then only the folders are read
 * @param flags added to the next `plan` command, so that it finds the folders
 * @throws MigrationError of the client, if there is only one zone
 */
export async function folderStatus(
  folders: readonly FolderFacts[],
  selected: readonly StatusZone[],
  client: Client | undefined,
  flags: string,
): Promise<FolderStatus> {
  const inState = folders.flatMap(({ legacyResources }) =>
    legacyResources.flatMap(({ zoneId }) => zoneId ?? []),
  );
  const blocks = folders.flatMap(zonesOfBlocks);
  const inConfiguration = blocks.flatMap((zones) => [...zones]);
  const places = {
    hasFolder: folders.length > 0,
    hasBlocksWithoutZone: blocks.some((zones) => zones.size === 0),
  };
  const ids =
    selected.length > 0
      ? selected
      : zonesOf(folders, [...inState, ...inConfiguration]).map((id) => ({ id }));
  const zones = client === undefined ? ids : await withNames(client, ids);
  const found = await mapConcurrently(zones, CONNECTIONS, async (one) => {
    const zone = one.id;
    const { position, findings, isUnread, ...live } = await readLive(
      client,
      one,
      zones.length === 1,
    );
    const known = {
      ...{ zone, ...live },
      legacy: {
        state: inState.filter((id) => id === zone).length,
        configuration: inConfiguration.filter((id) => id === zone).length,
      },
      ruleset: rulesetOf(folders, zone),
    };
    // without its status, no step is right
    const command = isUnread
      ? `status --zone ${zone}`
      : nextCommand({ ...known, position }, places);
    return { known, command, findings };
  });
  // a plan of all zones of the state fails while one of them has not migrated
  const isOneWaiting = found.some(
    ({ known, command }) => known.legacy.state > 0 && command?.startsWith('plan') === false,
  );
  const statuses = found.map(({ known, command }): ZoneStatus => {
    if (command === undefined) return { ...known, next: null };
    const one = isOneWaiting && command === 'plan' ? `plan --zone ${shownName(known)}` : command;
    return { ...known, next: `cf-waf-migrate ${one}${one.startsWith('plan') ? flags : ''}` };
  });
  return {
    folders: folders.map(({ dir, installed = null }) => ({ dir, provider: installed })),
    zones: statuses.sort((one, other) =>
      (one.name ?? one.zone).localeCompare(other.name ?? other.zone, 'en', { numeric: true }),
    ),
    findings: [
      ...folders.flatMap(({ dir, unread }) => (unread ? [stateUnread(dir, unread)] : [])),
      ...(client === undefined ? [apiNotAsked] : []),
      ...found.flatMap((one) => one.findings),
    ],
  };
}

const apiNotAsked: Finding = {
  code: 'API_NOT_ASKED',
  severity: 'info',
  subject: 'credentials',
  message: 'no credentials are set, so it is unknown which WAF is on',
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
  /** Whether the API did not tell the status. */
  readonly isUnread?: boolean;
}

const UNASKED: Live = {
  ...{ oldWaf: 'unknown', newWaf: 'unknown', migrationState: 'unknown' },
  ...{ deployed: [], position: 'unknown', findings: [] },
};

type StatusZone = Pick<NamedZone, 'id'> & Partial<NamedZone>;

/** Adds the names of the zones that the API returns. */
async function withNames(
  client: Client,
  zones: readonly StatusZone[],
): Promise<readonly StatusZone[]> {
  const unnamed = zones.flatMap(({ id, name }) => (name === undefined ? [id] : []));
  const known = await readKnownZones(client, unnamed);
  return zones.map((zone) => known.get(zone.id) ?? zone);
}

/** Reads the live status of a zone. With several zones, an API error becomes a finding. */
async function readLive(
  client: Client | undefined,
  zone: StatusZone,
  isAlone: boolean,
): Promise<Live> {
  if (client === undefined) return UNASKED;
  const { id: zoneId, name } = zone;
  try {
    const { findings, ...live } = await status(client, zoneId);
    // with a managed ruleset, the zone may be migrated, and the migration API retired
    const isUnread = live.position === 'unknown' && live.deployed.length === 0;
    if (isUnread) return { name, ...live, isUnread, findings };
    if (live.position !== 'start') return { name, ...live, findings };
    const checked = await check(client, zoneId);
    const blockers = checked.findings.filter(({ severity }) => severity === 'blocker');
    const blockedBy = [...new Set(blockers.map(({ code }) => code))];
    return { name, ...live, blockedBy, findings: [...findings, ...blockers] };
  } catch (error) {
    if (isAlone || !(error instanceof MigrationError)) throw error;
    const { code, message, hint } = error;
    const finding = { code, severity: 'decision', subject: zoneId, message, remedy: hint } as const;
    return { ...UNASKED, isUnread: true, findings: [finding] };
  }
}

type Known = Omit<ZoneStatus, 'next'> & Pick<Live, 'position'>;

/** A name that needs no quotes in a command. */
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const shownName = ({ name = '', zone }: Pick<ZoneStatus, 'name' | 'zone'>): string =>
  DOMAIN.test(name) ? name : zone;

/** A ruleset of the state is declared if a block has its address: its zone id may be an expression. */
function rulesetOf(folders: readonly FolderFacts[], zone: string): ZoneStatus['ruleset'] {
  const imported = folders.flatMap(({ rulesets, configuration }) =>
    rulesets
      .filter(isEntryPointOf(zone))
      .map(({ address }) => isUndeclared(configuration, address)),
  );
  const isDeclared = folders.some(({ declared }) => declared.some(({ zoneId }) => zoneId === zone));
  return {
    declared: imported.length > 0 ? imported.includes(false) : isDeclared,
    inState: imported.length > 0,
  };
}

/** Returns the command of the first matching row; undefined if none matches. */
function nextCommand(
  known: Known,
  {
    hasFolder,
    hasBlocksWithoutZone,
  }: Readonly<Record<'hasFolder' | 'hasBlocksWithoutZone', boolean>>,
): string | undefined {
  const { legacy, ruleset, position, deployed } = known;
  const zone = shownName(known);
  const isDeclared = ruleset.declared || ruleset.inState;
  const rows: readonly (readonly [boolean, string])[] = [
    [position === 'start', `check --zone ${zone}`],
    [position === 'validation', `review --zone ${zone} --since 6h`],
    [position === 'moving', `finish --zone ${zone}`],
    [hasFolder && legacy.state + legacy.configuration > 0, 'plan'],
    [hasFolder && ruleset.declared !== ruleset.inState, `plan --zone ${zone}`],
    // the zone of these blocks is unknown, so it can be this one
    [hasBlocksWithoutZone, 'plan'],
    [!isDeclared && deployed.length > 0, `generate --zone ${zone}`],
  ];
  return rows.find(([fits]) => fits)?.[1];
}

/** The zones of each legacy block: none if its zone id is an expression, and the state has no resource of it. */
function zonesOfBlocks({ legacyResources, configuration }: FolderFacts): Set<string>[] {
  if (configuration === undefined) return [];
  const { project } = configuration;
  const byBlock = groupBy(legacyResources, ({ address }) => withoutKeys(address));
  return findBlocksOfTypes(project, legacyWafTypes).map(({ file, block }) => {
    const named = block.body.get('zone_id');
    if (typeof named === 'string') return new Set([named]);
    // another expression: the zones in the state at the address of the block
    const instances = addressesOf(project, file, block.address).flatMap(
      (one) => byBlock.get(one) ?? [],
    );
    return new Set(instances.flatMap(({ zoneId }) => zoneId ?? []));
  });
}

function zonesOf(folders: readonly FolderFacts[], legacy: readonly string[]): string[] {
  const ofRulesets = folders.flatMap(({ rulesets, declared }) => [
    ...rulesets.filter((one) => one.zoneId !== undefined && isEntryPointOf(one.zoneId)(one)),
    ...declared,
  ]);
  const zones = [...legacy, ...ofRulesets.flatMap(({ zoneId }) => zoneId ?? [])];
  return [...new Set(zones)].filter(isIdentifier);
}
