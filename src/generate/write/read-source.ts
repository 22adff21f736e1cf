import { type Client } from '../../cloudflare/client';
import { readMigrationConfig, readMigrationStatus } from '../../cloudflare/waf-migration';
import { mergeEntryPoint } from '../../ruleset/merge-entry-point';
import { parseRuleset, type ParsedRuleset } from '../../ruleset/parse-ruleset';
import { type Finding } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { lostProtection } from './lost-protection';
import { standingOnlyLogs } from './protection-findings';
import { isRefusal } from '../../cloudflare/read-optional';
import { movedWithoutRuleset, readStanding } from './read-standing';
import { positionOf } from '../../cloudflare/zone-position';

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
  return { ...parsed, findings: standingOnlyLogs(zoneId, parsed.ruleset.rules) };
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
