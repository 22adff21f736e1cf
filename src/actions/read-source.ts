import { type Client } from '../cloudflare/client';
import { readEntryPoint } from '../cloudflare/rulesets';
import { readMigrationConfig, readMigrationStatus } from '../cloudflare/waf-migration';
import { parseRuleset, type ParsedRuleset } from '../generate/parse-ruleset';
import { type ErrorCode } from '../model/error-catalogue';
import { MigrationError } from '../model/migration-error';

/** Failures that a retired interface was seen to answer; wrong credentials show up at the next call. */
const unanswered = new Set<ErrorCode>(['API_REFUSED', 'API_NOT_FOUND', 'API_UNAUTHORIZED']);

/** Where `generate` reads the ruleset from; `auto` finds out how far the zone is. */
export type RulesetSource = 'auto' | 'config' | 'live';

/**
 * Asks the service for the ruleset of a zone.
 * @throws MigrationError `ENTRY_POINT_MISSING`, `RULESET_INVALID`, `RULESET_EMPTY`, and those of the client
 */
export async function readSource(
  client: Client,
  zoneId: string,
  source: RulesetSource,
): Promise<ParsedRuleset> {
  const from = source === 'auto' ? await detectSource(client, zoneId) : source;
  if (from === 'config') {
    const { result } = await readMigrationConfig(client, zoneId);
    return { ...parseRuleset(result), origin: 'config' };
  }
  const entryPoint = await readEntryPoint(client, zoneId);
  if (entryPoint === undefined) {
    throw new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has no entry point ruleset`);
  }
  return parseRuleset(entryPoint);
}

/**
 * A zone that has not finished says by `config` what it will become; where the migration interface
 * does not answer (it is retired) or does not say, only the live entry point is left.
 */
async function detectSource(client: Client, zoneId: string): Promise<'config' | 'live'> {
  try {
    const { oldWaf, newWaf } = await readMigrationStatus(client, zoneId);
    return oldWaf === 'on' || newWaf === 'off' ? 'config' : 'live';
  } catch (error) {
    if (error instanceof MigrationError && unanswered.has(error.code)) return 'live';
    throw error;
  }
}
