import { type Finding } from '../core/finding';
import { isJsonArray, isJsonObject } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Ruleset } from '../core/ruleset';
import { type Client } from '../cloudflare/client';
import { readEntryPoint } from '../cloudflare/rulesets';
import { isRefusal } from '../cloudflare/read-optional';
import { positionOf, readMigrationConfig, readMigrationStatus } from '../cloudflare/waf-migration';
import { readJsonFile } from '../files/read-json-file';
import { mergeEntryPoint } from '../ruleset/merge-entry-point';
import { type ParsedRuleset, parseRuleset, type RulesetOrigin } from '../ruleset/parse-ruleset';
import { lostProtection, onlyLogsFindings } from '../ruleset/protection';
import { type LegacySettings } from '../translate/legacy-settings';
import { type TranslateOptions } from '../translate/reading/read-context';
import { translateZone } from '../translate/translate-zone';

/** Which answer of the service holds the ruleset; `auto` finds out how far the zone is. */
export type RulesetSource = 'auto' | 'config' | 'live';

/** A ruleset, and what a person should know of how it came to be. */
export interface SourceRuleset extends ParsedRuleset {
  readonly findings: readonly Finding[];
}

/**
 * Asks the service for the ruleset of a zone. Before the migration that is what `finish` will send:
 * the config, merged into the entry point where one stands.
 * @throws MigrationError `ENTRY_POINT_MISSING`, `RULESET_INVALID`, `RULESET_EMPTY`, and those of the client
 */
export async function readSource(
  client: Client,
  zoneId: string,
  source: RulesetSource,
): Promise<SourceRuleset> {
  const {
    from,
    moved = false,
    isValidating = false,
  } = source === 'auto' ? await detectSource(client, zoneId) : { from: source };
  if (from === 'config') {
    const [{ result }, standing] = await Promise.all([
      readMigrationConfig(client, zoneId),
      readStanding(client, zoneId),
    ]);
    const proposed = parseRuleset(result).ruleset;
    const { ruleset, findings } = mergeEntryPoint(standing?.ruleset, proposed, {
      isValidating,
    });
    const lost = lostProtection(proposed, standing?.ruleset, ruleset).map(asDecision);
    return { origin: 'config', ruleset, findings: [...findings, ...lost] };
  }
  const standing = await readStanding(client, zoneId);
  if (standing === undefined) {
    if (moved) throw movedWithoutRuleset(zoneId);
    throw new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has no entry point ruleset`);
  }
  const parsed = parseRuleset(standing.raw);
  return { ...parsed, findings: onlyLogsFindings(zoneId, parsed.ruleset.rules) };
}

/** What `finish` stops at, a stack can be generated of, and read. */
function asDecision(finding: Finding): Finding {
  return { ...finding, severity: 'decision' };
}

/** Where the ruleset of a zone is to be read, and how far the zone is. */
interface Detected {
  readonly from: 'config' | 'live';
  readonly moved?: boolean;
  readonly isValidating?: boolean;
}

/**
 * A zone that has moved has no config any more; one that has not says by it what it will become.
 * Where the migration interface does not answer (it is retired) or does not say, only the live entry
 * point is left.
 */
async function detectSource(client: Client, zoneId: string): Promise<Detected> {
  try {
    const status = await readMigrationStatus(client, zoneId);
    const position = positionOf(status);
    if (position === 'moved') return { from: 'live', moved: true };
    const isValidating = position === 'validation';
    const { oldWaf, newWaf } = status;
    // what is on counts more than the word: a zone that never had the old WAF is at the start, too
    const isBefore =
      oldWaf === undefined && newWaf === undefined
        ? position === 'start' || isValidating
        : oldWaf === 'on' || newWaf === 'off';
    return { from: isBefore ? 'config' : 'live', isValidating };
  } catch (error) {
    // wrong credentials show up at the next call
    if (isRefusal(error)) return { from: 'live' };
    throw error;
  }
}

/** The entry point of a zone, typed and as it came. */
export interface StandingEntryPoint {
  readonly ruleset: Ruleset;
  readonly raw: unknown;
}

/**
 * The entry point that stands; one without rules stands too, with its name.
 * @returns undefined when the zone has none
 * @throws MigrationError `RULESET_INVALID`, and those of the client
 */
export async function readStanding(
  client: Client,
  zoneId: string,
): Promise<StandingEntryPoint | undefined> {
  const raw = await readEntryPoint(client, zoneId);
  if (raw === undefined) return undefined;
  if (!isEmpty(raw)) return { ruleset: parseRuleset(raw).ruleset, raw };
  // The parser refuses an empty ruleset, which may never be declared.
  const placeholder = { action: 'log', expression: 'false' };
  const { ruleset } = parseRuleset({ ...raw, rules: [placeholder] });
  return { ruleset: { ...ruleset, rules: [] }, raw };
}

/** What a zone lacks that has moved: nobody deploys anything for it but a person. */
export function movedWithoutRuleset(zoneId: string): MigrationError {
  return new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has moved without a ruleset`, {
    hint: 'deploy a managed ruleset at once: neither WAF may be on',
  });
}

function isEmpty(raw: unknown): boolean {
  if (!isJsonObject(raw)) return false;
  const rules = raw['rules'] ?? [];
  return isJsonArray(rules) && rules.length === 0;
}

/**
 * Reads the ruleset from a saved answer of the configuration endpoint or of the entry point; which
 * of the two it is, it says itself.
 * @param source what the user says that it is; `auto` says nothing
 * @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY`
 */
export async function readSavedRuleset(
  path: string,
  source: RulesetSource,
): Promise<ParsedRuleset> {
  const parsed = parseRuleset(await readJsonFile(path));
  if (source !== 'auto' && parsed.origin !== source) {
    throw new MigrationError(
      'RULESET_INVALID',
      `${printable(path)} is a saved answer of ${nameOf(parsed.origin)}, not of ${nameOf(source)}`,
      { hint: 'leave out --source, or pass the file that you mean' },
    );
  }
  return parsed;
}

function nameOf(source: RulesetOrigin): string {
  return source === 'live' ? 'the entry point' : 'the migration config';
}

/**
 * The ruleset that takes the place of a zone's old settings, as a source of `generate`.
 * @throws MigrationError `RULESET_EMPTY` when there is nothing to deploy: declared, an empty entry
 *   point would switch off what is live
 */
export function translateSource(
  settings: LegacySettings,
  origin: Extract<RulesetOrigin, 'state' | 'old'>,
  options: TranslateOptions,
): SourceRuleset {
  const { ruleset, findings } = translateZone(settings, options);
  if (ruleset.rules.length > 0) return { origin, ruleset, findings };
  const blocker = findings.find(({ severity }) => severity === 'blocker');
  throw new MigrationError(
    'RULESET_EMPTY',
    blocker?.message ?? `the old settings of zone ${settings.zoneId} deploy nothing`,
    blocker === undefined ? {} : { hint: blocker.remedy },
  );
}
