import { type Client } from '../cloudflare/client';
import { isRefusal } from '../cloudflare/refusals';
import { listLegacyWaf } from '../cloudflare/firewall';
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
import { type DeclaredRuleset, type Ruleset } from '../core/ruleset';
import {
  migratedWithoutRuleset,
  readLiveEntryPoint,
  type LiveEntryPoint,
} from '../generate/read-source';
import { diffRulesets, renderEntryPoint } from '../ruleset/compare-rulesets';
import { logOnly } from '../ruleset/log-only';
import { deploysAny } from '../ruleset/protection';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { latestSent, saveBackup } from './finish-backup';
import { type FinishRequest, preflight, type Preflight } from './finish-preflight';
import { withApiHint } from './migration-call';
import { missingProtection, type WafStatus, wafStatus } from './live-status';

const AGAIN = 'run the same command again: it reads the state of the zone, and resumes';
const UNSURE = `the call may have arrived; ${AGAIN}`;
const SENT = `the irreversible call has arrived; ${AGAIN}`;

export interface FinishPorts {
  readonly client: Client;
  readonly backups: string;
  /**
   * Asks for confirmation after the preflight; throws if it is declined.
   * @returns whether the user took time, in which the zone may have changed
   */
  readonly confirm: (preflight: Preflight) => Promise<boolean>;
  /** Registers a line that is printed if the run is stopped; the result removes it again. */
  readonly ifStopped?: ((text: string) => () => void) | undefined;
  /** How many seconds to wait for the switch; 0 checks once. */
  readonly seconds: number;
  readonly say: (text: string) => void;
  /** In milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The JSON of `finish`. */
export interface FinishResult extends WafStatus {
  /** Absent while Cloudflare is switching. */
  readonly ruleset?: { readonly id: string };
  readonly moved: boolean;
  /** The file with the legacy settings; absent if an earlier run saved it. */
  readonly backup?: string;
  readonly findings: readonly Finding[];
}

/**
 * Finishes the migration of a zone: checks all conditions, then makes the irreversible call. A new run reads
 * the state of the zone and resumes.
 *
 * @throws MigrationError `MIGRATION_BLOCKED`, `DECLINED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, and those of
 *   the client
 */
export async function finish(
  ports: FinishPorts,
  zone: NamedZone,
  request: FinishRequest,
): Promise<FinishResult> {
  const { client, say } = ports;
  const { status, position } = await readPosition(client, zone.id);
  if (isUnderWay(position)) return resume(ports, zone);
  let ready: Preflight;
  try {
    ready = await prepare(ports, zone, request, status);
  } catch (error) {
    // another run may have migrated the zone meanwhile, which removes what the preflight reads
    if (await hasArrived(client, zone.id, error)) return resume(ports, zone);
    throw error;
  }
  const body = renderEntryPoint(ready.declared);
  const backup = saveBackup(ports.backups, zone, ready, body);
  say(`saved the legacy settings in ${backup}`);
  const forget = ports.ifStopped?.(`zone ${zone.name}: ${UNSURE}`);
  try {
    await send(ports, zone, body);
    return { ...(await conclude(ports, zone, ready.declared, ready.findings)), backup };
  } finally {
    forget?.();
  }
}

/**
 * Checks whether `finish` would make the call for a zone, without reading all legacy settings. Changes nothing.
 * @returns the position of the zone, and the ruleset to send if the call is not made yet. `replaces`: whether entry point
 *   rules differ from it, and not only as after `start-validation --log-only`.
 * @throws MigrationError as `finish` before its call
 */
export async function checkFinish(
  client: Client,
  zone: NamedZone,
  request: FinishRequest,
): Promise<{
  readonly position: ZonePosition;
  readonly declared?: DeclaredRuleset;
  readonly replaces?: boolean;
}> {
  const { status, position } = await readPosition(client, zone.id);
  if (isUnderWay(position)) return { position };
  const { declared, live, findings } = await preflight(
    client,
    zone,
    request,
    status,
    listLegacyWaf,
  );
  const differs = findings.some(({ code }) => code === 'STANDING_RULE_DIFFERS');
  const onlyLogs =
    live !== undefined &&
    diffRulesets(normaliseRuleset(live.ruleset), logOnly(declared)).length === 0;
  return { position, declared, replaces: differs && !onlyLogs };
}

async function readPosition(client: Client, zoneId: string) {
  const status = await readMigrationStatus(client, zoneId);
  const position = positionOf(status);
  if (position === 'unknown') throw unknownPosition(zoneId);
  return { status, position };
}

/** Runs the preflight, and repeats it after a confirmation, because the zone may have changed meanwhile. */
async function prepare(
  { client, confirm }: FinishPorts,
  zone: NamedZone,
  request: FinishRequest,
  status: MigrationStatus,
): Promise<Preflight> {
  const first = await preflight(client, zone, request, status);
  if (!(await confirm(first))) return first;
  const second = await preflight(client, zone, request, status);
  requireUnchanged(zone.id, first.declared, second.declared);
  return second;
}

/**
 * Requires that a zone still gets the rules that were shown.
 * @param shown undefined if it had nothing to send
 * @throws MigrationError `MIGRATION_BLOCKED`
 */
export function requireUnchanged(
  zoneId: string,
  shown: DeclaredRuleset | undefined,
  declared: DeclaredRuleset,
): void {
  if (shown && diffRulesets(shown, declared).length === 0) return;
  const message = `zone ${zoneId} changed since its rules were shown: nothing was sent`;
  const hint = 'run the command again, and check what it sends';
  throw new MigrationError('MIGRATION_BLOCKED', message, { hint });
}

async function send({ client, say }: FinishPorts, zone: NamedZone, body: object): Promise<void> {
  try {
    await putEntryPoint(client, zone.id, body, 'pending');
  } catch (error) {
    // a rate-limited call has not arrived, and a status request would only wait
    if (error instanceof MigrationError && error.code === 'API_RATE_LIMITED') throw error;
    if (!(await hasArrived(client, zone.id, error))) {
      throw isRefusal(error) ? error : withApiHint(error, UNSURE);
    }
    say('the response is missing or invalid, but the call has arrived');
  }
}

/** Determines by the status of the zone, not by the error, whether the call has arrived. */
async function hasArrived(client: Client, zoneId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof MigrationError) || error.code === 'DECLINED') return false;
  const status = await readMigrationStatus(client, zoneId).catch(() => undefined);
  return status !== undefined && isUnderWay(positionOf(status));
}

function isUnderWay(position: ZonePosition): boolean {
  return position === 'moving' || position === 'moved';
}

async function resume(ports: FinishPorts, zone: NamedZone): Promise<FinishResult> {
  ports.say('the call was made before: nothing is sent, no file is compared');
  return conclude(ports, zone, await latestSent(ports.backups, zone.id), []);
}

/**
 * Waits for the switch and compares the result. Its errors say that the call was already made.
 * @param sentRuleset undefined if an earlier run sent the ruleset and left no backup
 * @param known findings before the wait
 */
async function conclude(
  ports: FinishPorts,
  zone: NamedZone,
  sentRuleset: Ruleset | undefined,
  known: readonly Finding[],
): Promise<FinishResult> {
  try {
    const status = await awaitSwitch(ports, zone.id);
    if (positionOf(status) !== 'moved') {
      return { ...wafStatus(status), moved: false, findings: known };
    }
    const live = await readLiveEntryPoint(ports.client, zone.id);
    const id = live?.ruleset.id;
    // Cloudflare may no longer report the legacy WAF of a migrated zone, which is off
    const lacks = missingProtection(zone.id, { ...status, oldWaf: 'off' }, live?.ruleset.rules);
    if (live === undefined || id === undefined) throw migratedWithoutRuleset(zone.id, lacks);
    const declared = sentRuleset && normaliseRuleset(sentRuleset);
    // it is only information if the sent ruleset was off as well, like the legacy WAF
    const isLost = declared === undefined || deploysAny(declared.rules);
    const lacking = lacks
      .filter(({ code }) => !known.some((one) => one.code === code))
      .map((finding) => (isLost ? finding : ({ ...finding, severity: 'info' } as const)));
    const findings = [...known, ...(declared ? differences(declared, live, id) : []), ...lacking];
    return { ...wafStatus(status), moved: true, ruleset: { id }, findings };
  } catch (error) {
    throw withApiHint(error, SENT);
  }
}

function differences(
  sent: DeclaredRuleset,
  { ruleset }: LiveEntryPoint,
  subject: string,
): Finding[] {
  const found = diffRulesets(sent, normaliseRuleset(ruleset));
  if (found.length === 0) return [];
  return [
    {
      code: 'ENTRY_POINT_DIFFERS',
      severity: 'decision',
      subject,
      message: `the entry point ruleset is not the ruleset that was sent: ${found.join(', ')}`,
      remedy:
        'generate the stack from the live entry point (--source live --force) and check the changes',
    },
  ];
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Waits until the legacy WAF is off and the new WAF is on. The switch can take up to an hour, with both on meanwhile.
 * @returns the last status
 */
async function awaitSwitch(
  { client, seconds, say, now, sleep }: FinishPorts,
  zoneId: string,
): Promise<MigrationStatus> {
  const start = now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const status = await readMigrationStatus(client, zoneId);
    const left = start + seconds * 1000 - now();
    if (positionOf(status) === 'moved' || left <= 0) return status;
    const { oldWaf, newWaf, migrationState } = wafStatus(status);
    say(
      `waiting for Cloudflare to switch (legacy WAF ${oldWaf}, new WAF ${newWaf}, state ${migrationState}), at most ${Math.ceil(left / 1000)} s more`,
    );
    await sleep(Math.min(pause, left));
  }
}
