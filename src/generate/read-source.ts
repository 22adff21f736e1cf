import { type Client } from '../cloudflare/client';
import { unlessRefused } from '../cloudflare/refusals';
import { readEntryPoint } from '../cloudflare/rulesets';
import {
  positionOf,
  readMigrationConfig,
  readMigrationStatus,
  type ZonePosition,
} from '../cloudflare/waf-migration';
import { type Finding, isBlocker } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Ruleset } from '../core/ruleset';
import { readJsonFile } from '../files/read-files';
import { mergeEntryPoint } from '../ruleset/merge-entry-point';
import {
  parseAnyRuleset,
  type ParsedRuleset,
  parseRuleset,
  type RulesetOrigin,
} from '../ruleset/parse-ruleset';
import {
  exceptedFindings,
  lostProtection,
  protectionFindings,
  strongestEffect,
} from '../ruleset/protection';
import { type LegacySettings } from '../translate/source/legacy-settings';
import { type TranslateOptions } from '../translate/reading/legacy-zone';
import { translateZone } from '../translate/translate-zone';

/** Which response of the API contains the ruleset; `auto` decides by the migration status of the zone. */
export type RulesetSource = 'auto' | 'config' | 'live';

/** A ruleset, with findings about how it was read or made. */
export interface SourceRuleset extends ParsedRuleset {
  readonly findings: readonly Finding[];
  /** Whether the zone is in validation mode; only of a source that was detected. */
  readonly isValidating?: boolean;
  /** Whether the legacy WAF of the zone is off; only of a source that was detected. */
  readonly isMigrated?: boolean;
}

/**
 * Reads the ruleset of a zone from the API. Before the migration, it is what `finish` will send: the
 * migration configuration, merged into an existing entry point.
 * @throws MigrationError `ENTRY_POINT_MISSING`, `RULESET_INVALID`, `RULESET_EMPTY`, and those of the client
 */
export async function readSource(
  client: Client,
  zoneId: string,
  source: RulesetSource,
): Promise<SourceRuleset> {
  const { from, position }: Detected =
    source === 'auto' ? await detectSource(client, zoneId) : { from: source };
  const isValidating = position === 'validation';
  if (from === 'config') {
    const [{ result }, live] = await Promise.all([
      readMigrationConfig(client, zoneId),
      readLiveEntryPoint(client, zoneId),
    ]);
    const proposed = parseRuleset(result).ruleset;
    const { ruleset, findings } = mergeEntryPoint(live?.ruleset, proposed, { isValidating });
    const lost = lostProtection(proposed, live?.ruleset, ruleset);
    // `finish` stops at these, but a stack can be generated for review
    const decisions = lost.map((finding): Finding => ({ ...finding, severity: 'decision' }));
    return { origin: 'config', ruleset, findings: [...findings, ...decisions], isValidating };
  }
  const live = await readLiveEntryPoint(client, zoneId);
  if (live === undefined) {
    if (position === 'moved') throw migratedWithoutRuleset(zoneId);
    const wait = `wait for the switch:\ncf-waf-migrate finish --zone ${zoneId}`;
    throw new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has no entry point ruleset`, {
      hint: position === 'moving' ? wait : undefined,
    });
  }
  const { ruleset } = live;
  requireRules(ruleset, zoneId);
  const effect = strongestEffect(ruleset.rules);
  // an exception from them all is reported by itself
  const isReported = effect === 'off' && exceptedFindings(ruleset.rules).length > 0;
  const findings = isReported ? [] : protectionFindings(zoneId, effect);
  return { origin: 'live', ruleset, findings, isMigrated: position === 'moved' };
}

/** @throws MigrationError `RULESET_EMPTY` */
export function requireRules({ rules }: Ruleset, zoneId: string): void {
  if (rules.length > 0) return;
  throw new MigrationError(
    'RULESET_EMPTY',
    `the entry point ruleset of zone ${zoneId} has no rules`,
    {
      hint: 'deploy a managed ruleset, then run the same command again: the zone may have no WAF',
    },
  );
}

/** The source of the ruleset, and the migration progress of the zone. */
interface Detected {
  readonly from: 'config' | 'live';
  readonly position?: ZonePosition;
}

/**
 * A migrated zone has no migration configuration, and the entry point is final while Cloudflare switches. If the migration
 * endpoints are retired or return no status, only the live entry point is left.
 */
async function detectSource(client: Client, zoneId: string): Promise<Detected> {
  const status = await unlessRefused(readMigrationStatus(client, zoneId));
  // wrong credentials fail at the next call
  if (status === undefined) return { from: 'live' };
  const position = positionOf(status);
  if (position === 'moved' || position === 'moving') return { from: 'live', position };
  const { oldWaf, newWaf } = status;
  // the switches count more than the status, because a zone without the legacy WAF is at the start too
  const isBefore =
    oldWaf === undefined && newWaf === undefined
      ? position === 'start' || position === 'validation'
      : oldWaf === 'on' || newWaf === 'off';
  return { from: isBefore ? 'config' : 'live', position };
}

/** The entry point of a zone, parsed and as received. */
export interface LiveEntryPoint {
  readonly ruleset: Ruleset;
  readonly raw: unknown;
}

/**
 * Reads the entry point of a zone, even one without rules.
 * @returns undefined if the zone has none
 * @throws MigrationError `RULESET_INVALID`, and those of the client
 */
export async function readLiveEntryPoint(
  client: Client,
  zoneId: string,
): Promise<LiveEntryPoint | undefined> {
  const raw = await readEntryPoint(client, zoneId);
  return raw === undefined ? undefined : { ruleset: parseAnyRuleset(raw).ruleset, raw };
}

/** The error for a migrated zone without a ruleset: only the owner of the zone can deploy one. */
export function migratedWithoutRuleset(
  zoneId: string,
  findings: readonly Finding[] = [],
): MigrationError {
  return new MigrationError(
    'ENTRY_POINT_MISSING',
    `zone ${zoneId} has migrated, and has no entry point ruleset`,
    { hint: 'deploy a managed ruleset now: the zone may have no WAF', findings },
  );
}

/**
 * Reads the ruleset from a saved response of the configuration endpoint or of the entry point, and detects
 * which of the two it is.
 * @param source the response that the user expects; `auto` accepts both
 * @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY`
 */
export async function readSavedRuleset(
  path: string,
  source: RulesetSource,
): Promise<SourceRuleset> {
  const parsed = parseRuleset(await readJsonFile(path));
  if (source !== 'auto' && parsed.origin !== source) {
    throw new MigrationError(
      'RULESET_INVALID',
      `${printable(path)} was saved from ${nameOf(parsed.origin)}, not from ${nameOf(source)}`,
      { hint: 'omit --source, or pass another file' },
    );
  }
  return { ...parsed, findings: [] };
}

function nameOf(source: RulesetOrigin): string {
  return source === 'live' ? 'the entry point' : 'the migration configuration';
}

/**
 * Translates the legacy settings of a zone to a source of `generate`.
 * @throws MigrationError `RULESET_EMPTY` if there is nothing to deploy, because declaring an empty entry
 *   point would switch off live rules
 */
export function translateSource(
  settings: LegacySettings,
  origin: Extract<RulesetOrigin, 'state' | 'old'>,
  options: TranslateOptions,
): SourceRuleset {
  const { ruleset, findings } = translateZone(settings, options);
  if (ruleset.rules.length > 0) return { origin, ruleset, findings };
  const blocker = findings.find(isBlocker);
  throw new MigrationError(
    'RULESET_EMPTY',
    blocker?.message ?? `the legacy settings of zone ${settings.zoneId} deploy nothing`,
    { hint: blocker?.remedy },
  );
}
