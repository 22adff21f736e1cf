import { type Client } from '../cloudflare/client';
import { type MigrationStatus } from '../cloudflare/waf-migration';
import { type NamedZone } from '../cloudflare/zones';
import { deploysAny } from '../ruleset/deployments';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { type Finding } from '../core/finding';
import { awaitSwitch, type WaitOptions } from './await-switch';
import { protectionFindings, switchWaits, waitsForRule } from './findings';
import { compareWithSent } from './read-back';
import {
  movedWithoutRuleset,
  readStanding,
  type StandingEntryPoint,
} from '../generate/read-source';

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
  readonly passed?: (standing: StandingEntryPoint) => Promise<Finding[]>;
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
  const isStuck = async (status: MigrationStatus): Promise<boolean> =>
    status.newWaf === 'off' &&
    waitsForRule(status, (await readStanding(client, zone.id))?.ruleset.rules ?? []);
  const { status, moved, stuck } = await awaitSwitch(client, zone.id, ports, isStuck);
  const { migrationState = 'unknown', oldWaf = 'unknown', newWaf = 'unknown' } = status;
  const base: FinishResult = { migrationState, oldWaf, newWaf, moved, ...backup, findings };
  const standing = moved || passed !== undefined ? await readStanding(client, zone.id) : undefined;
  // An entry point without rules, of a zone on its way, does not say yet what it will be.
  const isTold = moved || (standing?.ruleset.rules.length ?? 0) > 0;
  const given = standing !== undefined && isTold ? ((await passed?.(standing)) ?? []) : [];
  if (!moved) {
    return { ...base, findings: [...findings, ...given, ...(stuck ? [switchWaits(zone.id)] : [])] };
  }
  const id = standing?.ruleset.id;
  if (standing === undefined || id === undefined) throw movedWithoutRuleset(zone.id);
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
  { ruleset: { rules } }: StandingEntryPoint,
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
