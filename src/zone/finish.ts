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
import { diffRulesets, renderEntryPoint } from '../ruleset/compare-rulesets';
import { MigrationError } from '../core/migration-error';
import { comparePassed } from './compare-passed';
import { readStack } from './compare-stack';
import { conclude, type ConcludePorts, type FinishResult, type Made } from './finish-conclude';
import { type FinishRequest, preflight, type Preflight } from './finish-preflight';
import { latestSent, saveBackup } from './finish-backup';
import { type StandingEntryPoint } from '../generate/read-source';
import { withHint } from './with-hint';

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
  const passed = (standing: StandingEntryPoint) => comparePassed(zone, request, standing, sent);
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
