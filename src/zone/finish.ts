import { type Client } from '../cloudflare/client';
import { putEntryPoint } from '../cloudflare/rulesets';
import {
  type MigrationStatus,
  positionOf,
  readMigrationStatus,
  unknownPosition,
  type ZonePosition,
} from '../cloudflare/waf-migration';
import { type NamedZone } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { providerMajors } from '../core/provider-majors';
import {
  migratedWithoutRuleset,
  readLiveEntryPoint,
  type LiveEntryPoint,
} from '../generate/read-source';
import { diffRulesets, renderEntryPoint } from '../ruleset/compare-rulesets';
import { deploysAny } from '../ruleset/deployments';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { readStack } from './compare-stack';
import { protectionFindings, switchWaits, waitsForRule } from './findings';
import { latestSent, saveBackup } from './finish-backup';
import { type FinishRequest, preflight, type Preflight } from './finish-preflight';
import { withHint } from './migration-call';
import { comparePassed, compareWithSent } from './read-back';

const AGAIN = 'run the same command again: it finds out where the zone is, and goes on from there';
const UNSURE = `the call may have arrived; ${AGAIN}`;
const SENT = `the call that cannot be undone has arrived; ${AGAIN}`;

/** Takes what is to be said if the run is stopped from now on; what it returns takes that back. */
export type IfStopped = (text: string) => () => void;

/** What the action needs of the world. */
export interface FinishPorts extends ConcludePorts {
  /** Folder for the old settings. */
  readonly backups: string;
  /**
   * Confirms the zone, after its pre-flight; throws to decline.
   * @returns whether time went by, in which the zone may have changed
   */
  readonly confirm: (preflight: Preflight) => Promise<boolean>;
  readonly ifStopped?: IfStopped | undefined;
}

/**
 * Finishes the migration of a zone: the call that cannot be undone, after everything that must hold
 * before it. Run again at any moment, it finds out where the zone is and goes on from there.
 *
 * @throws MigrationError `MIGRATION_BLOCKED`, `DECLINED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, and
 *   those of the client
 */
export async function finish(
  ports: FinishPorts,
  zone: NamedZone,
  request: FinishRequest,
): Promise<FinishResult> {
  const { client, say } = ports;
  const status = await readMigrationStatus(client, zone.id);
  const position = positionOf(status);
  if (isUnderWay(position)) return resume(ports, zone, request);
  if (position === 'unknown') throw unknownPosition(zone.id);
  let ready: Preflight;
  try {
    ready = await prepare(ports, zone, request, status);
  } catch (error) {
    // Another run may have moved the zone meanwhile: what was to be read is gone then.
    if (await hasArrived(client, zone.id, error)) return resume(ports, zone, request);
    throw error;
  }
  const sent = renderEntryPoint(ready.declared);
  const backup = saveBackup(ports.backups, zone, ready, sent);
  say(`the old settings are saved in ${backup}`);
  const forget = ports.ifStopped?.(`zone ${zone.name}: ${UNSURE}`);
  try {
    await send(ports, zone, sent);
    return await follow(ports, zone, { sent, findings: ready.findings, backup });
  } finally {
    forget?.();
  }
}

/** The call that cannot be undone. */
async function send({ client, say }: FinishPorts, zone: NamedZone, sent: object): Promise<void> {
  try {
    await putEntryPoint(client, zone.id, sent, { migration: 'pending' });
  } catch (error) {
    // refused for the rate, whatever it says: to ask now would only wait
    if (isOf(error, 'API_RATE_LIMITED')) throw error;
    if (!(await hasArrived(client, zone.id, error))) {
      throw isOf(error, 'API_REFUSED') ? error : withHint(error, UNSURE);
    }
    say('no good answer came, but the call has arrived');
  }
}

/** The pre-flight; once more when a person has thought about it, because the zone may have changed. */
async function prepare(
  { client, confirm }: FinishPorts,
  zone: NamedZone,
  request: FinishRequest,
  status: MigrationStatus,
): Promise<Preflight> {
  const first = await preflight(client, zone, request, status);
  if (!(await confirm(first))) return first;
  const second = await preflight(client, zone, request, status);
  if (diffRulesets(first.declared, second.declared).length === 0) return second;
  throw new MigrationError(
    'MIGRATION_BLOCKED',
    `zone ${zone.id} has changed while it was being confirmed: nothing was sent`,
    { hint: 'run the command again and look at what it sends' },
  );
}

function isUnderWay(position: ZonePosition): boolean {
  return position === 'moving' || position === 'moved';
}

/** What an earlier run, or another one, has begun: with what was given now is only compared. */
async function resume(
  ports: FinishPorts,
  zone: NamedZone,
  request: FinishRequest,
): Promise<FinishResult> {
  const { given, stack } = request;
  if (stack !== undefined) await readStack(stack.path);
  ports.say('the call has arrived already: nothing is sent again');
  const sent = await latestSent(ports.backups, zone.id);
  const isGiven = given !== undefined || stack !== undefined;
  const passed = (standing: LiveEntryPoint) => comparePassed(zone, request, standing, sent);
  return follow(ports, zone, { sent, findings: [], ...(isGiven ? { passed } : {}) });
}

/** What fails from here on fails after the call, and the error must say so. */
async function follow(ports: FinishPorts, zone: NamedZone, made: Made): Promise<FinishResult> {
  try {
    return await conclude(ports, zone, made);
  } catch (error) {
    throw withHint(error, SENT);
  }
}

/** Decides by what the zone says, and not by the failure, whether the call was done. */
async function hasArrived(client: Client, zoneId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof MigrationError) || error.code === 'DECLINED') return false;
  try {
    return isUnderWay(positionOf(await readMigrationStatus(client, zoneId)));
  } catch {
    return false; // the first failure is the one that counts
  }
}

function isOf(error: unknown, code: MigrationError['code']): boolean {
  return error instanceof MigrationError && error.code === code;
}

/** The JSON of `finish`. */
export interface FinishResult {
  readonly migrationState: string;
  readonly oldWaf: 'on' | 'off' | 'unknown';
  readonly newWaf: 'on' | 'off' | 'unknown';
  /** Absent while the service is switching. */
  readonly ruleset?: { readonly id: string };
  readonly moved: boolean;
  /** The file with the old settings; absent when an earlier run has saved it. */
  readonly backup?: string;
  readonly findings: readonly Finding[];
}

/** What the end of `finish` needs of the world. */
export interface ConcludePorts extends WaitOptions {
  readonly client: Client;
}

/** What was done before the wait. */
export interface Made {
  /** Undefined where an earlier run has sent it, and left no backup. */
  readonly sent: unknown;
  readonly findings: readonly Finding[];
  readonly backup?: string;
  /** Compares what stands with what the run was given, where it was not that which was sent. */
  readonly passed?: (standing: LiveEntryPoint) => Promise<Finding[]>;
}

/**
 * Waits for the switch, and looks at what stands then: is it what was sent, and is a WAF on.
 * @throws MigrationError `ENTRY_POINT_MISSING`, those of {@link Made.passed} and of the client
 */
export async function conclude(
  ports: ConcludePorts,
  zone: NamedZone,
  { sent, findings, passed, ...backup }: Made,
): Promise<FinishResult> {
  const { client } = ports;
  const { status, moved, stuck } = await awaitSwitch(ports, zone.id);
  const { migrationState = 'unknown', oldWaf = 'unknown', newWaf = 'unknown' } = status;
  const base: FinishResult = { migrationState, oldWaf, newWaf, moved, ...backup, findings };
  const standing =
    moved || passed !== undefined ? await readLiveEntryPoint(client, zone.id) : undefined;
  // An entry point without rules, of a zone on its way, does not say yet what it will be.
  const isTold = moved || (standing?.ruleset.rules.length ?? 0) > 0;
  const given = standing !== undefined && isTold ? ((await passed?.(standing)) ?? []) : [];
  if (!moved) {
    return { ...base, findings: [...findings, ...given, ...(stuck ? [switchWaits(zone.id)] : [])] };
  }
  const id = standing?.ruleset.id;
  if (standing === undefined || id === undefined) throw migratedWithoutRuleset(zone.id);
  const compared = sent === undefined ? [] : compareWithSent(sent, standing, id);
  const lacks = lacking(zone.id, status, standing, sent).filter(
    ({ code }) => !findings.some((told) => told.code === code),
  );
  return { ...base, ruleset: { id }, findings: [...findings, ...compared, ...given, ...lacks] };
}

/** Where nothing was on in what was sent, the old WAF was off before: the zone lost nothing. */
function lacking(
  zoneId: string,
  { newWaf }: MigrationStatus,
  { ruleset: { rules } }: LiveEntryPoint,
  sent: unknown,
): Finding[] {
  const moved = { oldWaf: 'off' as const, ...(newWaf === undefined ? {} : { newWaf }) };
  const lost = sent === undefined || isAnyOn(sent);
  return protectionFindings(zoneId, moved, rules).map((finding) =>
    lost ? finding : { ...finding, severity: 'info' },
  );
}

function isAnyOn(sent: unknown): boolean {
  return deploysAny(normaliseRuleset(parseRuleset(sent).ruleset).ruleset.rules);
}

/** How long to wait for the switch, and how. */
interface WaitOptions {
  /** Seconds; 0 looks once. */
  readonly seconds: number;
  /** Shows what is waited for. */
  readonly say: (text: string) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Waits until a zone has switched: the legacy WAF off, the new one on. The Cloudflare API can take up to an
 * hour, with both running meanwhile.
 * @returns what it said last; `stuck` where no switch comes before the entry point changes
 */
async function awaitSwitch(
  { client, seconds, say, now, sleep }: ConcludePorts,
  zoneId: string,
): Promise<{ readonly status: MigrationStatus; readonly moved: boolean; readonly stuck: boolean }> {
  const start = now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const status = await readMigrationStatus(client, zoneId);
    if (positionOf(status) === 'moved') return { status, moved: true, stuck: false };
    const standing = status.newWaf === 'off' ? await readLiveEntryPoint(client, zoneId) : undefined;
    const stuck = status.newWaf === 'off' && waitsForRule(status, standing?.ruleset.rules ?? []);
    const left = start + seconds * 1000 - now();
    if (stuck || left <= 0) return { status, moved: false, stuck };
    const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
    say(
      `waiting until the service has switched (old WAF ${oldWaf}, new WAF ${newWaf}, state ${migrationState}), at most ${Math.ceil(left / 1000)} s more`,
    );
    await sleep(Math.min(pause, left));
  }
}

/**
 * What takes the ruleset of a zone into a Terraform state, one for each form of the id: provider 5
 * wants another one than 3 and 4, and takes theirs for that of an account.
 */
export function importCommands(zoneId: string, rulesetId: string, address: string): string[] {
  const majorsOf = new Map<string, string[]>();
  for (const [major, facts] of Object.entries(providerMajors)) {
    const id = facts.importId(zoneId, rulesetId);
    majorsOf.set(id, [...(majorsOf.get(id) ?? []), major]);
  }
  return [...majorsOf].map(
    ([id, majors]) =>
      `terraform import ${posixQuote(address)} ${id}   # provider ${majors.join(', ')}`,
  );
}
