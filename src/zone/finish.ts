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
import { deploysAny } from '../ruleset/protection';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { compareGiven, compareWithSent, readStack } from './compare-entry-point';
import { protectionFindings, switchWaits, waitsForRule } from './findings';
import { latestSent, saveBackup } from './finish-backup';
import { type FinishRequest, preflight, type Preflight } from './finish-preflight';
import { withHint } from './migration-call';

const AGAIN = 'run the same command again: it reads the state of the zone, and resumes';
const UNSURE = `the call may have arrived; ${AGAIN}`;
const SENT = `the irreversible call has arrived; ${AGAIN}`;

/** Takes what to show if the run is stopped from now on; what it returns takes that back. */
export type IfStopped = (text: string) => () => void;

/** The world of `finish`. */
export interface FinishPorts {
  readonly client: Client;
  /** Folder for the legacy settings. */
  readonly backups: string;
  /**
   * Confirms the zone, after its preflight; throws to decline.
   * @returns whether time went by, in which the zone may have changed
   */
  readonly confirm: (preflight: Preflight) => Promise<boolean>;
  readonly ifStopped?: IfStopped | undefined;
  /** How many seconds to wait for the switch; 0 looks once. */
  readonly seconds: number;
  readonly say: (text: string) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The JSON of `finish`. */
export interface FinishResult {
  readonly migrationState: string;
  readonly oldWaf: 'on' | 'off' | 'unknown';
  readonly newWaf: 'on' | 'off' | 'unknown';
  /** Absent while Cloudflare is switching. */
  readonly ruleset?: { readonly id: string };
  readonly moved: boolean;
  /** The file with the legacy settings; absent when an earlier run has saved it. */
  readonly backup?: string;
  readonly findings: readonly Finding[];
}

/**
 * Finishes the migration of a zone: the call that cannot be undone, after everything that must hold
 * before it. Run again at any moment, it reads the state of the zone and resumes.
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
    // another run may have migrated the zone meanwhile: what was to be read is gone then
    if (await hasArrived(client, zone.id, error)) return resume(ports, zone, request);
    throw error;
  }
  const sent = renderEntryPoint(ready.declared);
  const backup = saveBackup(ports.backups, zone, ready, sent);
  say(`saved the legacy settings in ${backup}`);
  const forget = ports.ifStopped?.(`zone ${zone.name}: ${UNSURE}`);
  try {
    await send(ports, zone, sent);
    return { ...(await conclude(ports, zone, { sent, findings: ready.findings })), backup };
  } finally {
    forget?.();
  }
}

/** The preflight; again after a pause for the user, because the zone may have changed. */
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
    `zone ${zone.id} changed before it was confirmed: nothing was sent`,
    { hint: 'run the command again, and check what it sends' },
  );
}

/** The call that cannot be undone. */
async function send({ client, say }: FinishPorts, zone: NamedZone, sent: object): Promise<void> {
  try {
    await putEntryPoint(client, zone.id, sent, { migration: 'pending' });
  } catch (error) {
    const code = error instanceof MigrationError ? error.code : undefined;
    // a call over the rate limit has not arrived, and asking would only wait
    if (code === 'API_RATE_LIMITED') throw error;
    if (!(await hasArrived(client, zone.id, error))) {
      throw code === 'API_REFUSED' ? error : withHint(error, UNSURE);
    }
    say('the response is missing or invalid, but the call has arrived');
  }
}

/** Decides by the status of the zone, not by the error, whether the call has arrived. */
async function hasArrived(client: Client, zoneId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof MigrationError) || error.code === 'DECLINED') return false;
  const status = await readMigrationStatus(client, zoneId).catch(() => undefined);
  return status !== undefined && isUnderWay(positionOf(status));
}

function isUnderWay(position: ZonePosition): boolean {
  return position === 'moving' || position === 'moved';
}

/** Waits for what an earlier run has begun: what is given now is only compared. */
async function resume(
  ports: FinishPorts,
  zone: NamedZone,
  request: FinishRequest,
): Promise<FinishResult> {
  if (request.stack !== undefined) await readStack(request.stack.path);
  ports.say('an earlier run made the call: nothing is sent again');
  const sent = await latestSent(ports.backups, zone.id);
  return conclude(ports, zone, { sent, findings: [], request });
}

/** What was done before the wait. */
interface Made {
  /** Undefined where an earlier run has sent it, and left no backup. */
  readonly sent: unknown;
  readonly findings: readonly Finding[];
  /** What was given now, where an earlier run has made the call. */
  readonly request?: FinishRequest;
}

/** What fails from here on fails after the call, and the error must say so. */
async function conclude(ports: FinishPorts, zone: NamedZone, made: Made): Promise<FinishResult> {
  try {
    const { status, moved, stuck } = await awaitSwitch(ports, zone.id);
    const { migrationState = 'unknown', oldWaf = 'unknown', newWaf = 'unknown' } = status;
    const { request, sent, findings } = made;
    const isGiven = request?.given !== undefined || request?.stack !== undefined;
    const live = moved || isGiven ? await readLiveEntryPoint(ports.client, zone.id) : undefined;
    const id = live?.ruleset.id;
    if (moved && (live === undefined || id === undefined)) throw migratedWithoutRuleset(zone.id);
    // an entry point without rules, of a zone that is switching, does not show yet what it will be
    const isKnown = moved || (live?.ruleset.rules.length ?? 0) > 0;
    const given =
      request !== undefined && live !== undefined && isKnown
        ? await compareGiven(zone, request, live, sent)
        : [];
    const found =
      moved && live !== undefined
        ? [
            ...(sent === undefined ? [] : compareWithSent(sent, live, id ?? zone.id)),
            ...given,
            ...lacking(zone.id, status, live, made),
          ]
        : [...given, ...(stuck ? [switchWaits(zone.id)] : [])];
    return {
      ...{ migrationState, oldWaf, newWaf, moved },
      ...(moved && id !== undefined && { ruleset: { id } }),
      findings: [...findings, ...found],
    };
  } catch (error) {
    throw withHint(error, SENT);
  }
}

/** What a migrated zone lacks; it lost nothing where everything was off in what was sent, as the legacy WAF was. */
function lacking(
  zoneId: string,
  { newWaf }: MigrationStatus,
  { ruleset: { rules } }: LiveEntryPoint,
  { sent, findings }: Made,
): Finding[] {
  const moved = { oldWaf: 'off' as const, ...(newWaf === undefined ? {} : { newWaf }) };
  const isLost =
    sent === undefined || deploysAny(normaliseRuleset(parseRuleset(sent).ruleset).ruleset.rules);
  return protectionFindings(zoneId, moved, rules)
    .filter(({ code }) => !findings.some((known) => known.code === code))
    .map((finding) => (isLost ? finding : { ...finding, severity: 'info' }));
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Waits until a zone has switched: the legacy WAF off, the new one on. The Cloudflare API can take up to an
 * hour, with both running meanwhile.
 * @returns what it said last; `stuck` where no switch comes before the entry point changes
 */
async function awaitSwitch(
  { client, seconds, say, now, sleep }: FinishPorts,
  zoneId: string,
): Promise<{ readonly status: MigrationStatus; readonly moved: boolean; readonly stuck: boolean }> {
  const start = now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const status = await readMigrationStatus(client, zoneId);
    if (positionOf(status) === 'moved') return { status, moved: true, stuck: false };
    const isOff = status.newWaf === 'off';
    const live = isOff ? await readLiveEntryPoint(client, zoneId) : undefined;
    const stuck = isOff && waitsForRule(status, live?.ruleset.rules ?? []);
    const left = start + seconds * 1000 - now();
    if (stuck || left <= 0) return { status, moved: false, stuck };
    const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
    say(
      `waiting for Cloudflare to switch (legacy WAF ${oldWaf}, new WAF ${newWaf}, state ${migrationState}), at most ${Math.ceil(left / 1000)} s more`,
    );
    await sleep(Math.min(pause, left));
  }
}

/** The commands that import the ruleset of a zone, one for each form of the id: provider 5 takes another one. */
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
