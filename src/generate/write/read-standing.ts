import { type Client } from '../../cloudflare/client';
import { readEntryPoint } from '../../cloudflare/entry-point';
import { parseRuleset } from '../../ruleset/parse-ruleset';
import { isJsonArray, isJsonObject } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { type Ruleset } from '../../core/ruleset';

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
