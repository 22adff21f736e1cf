import * as z from 'zod';
import { type Client } from '../cloudflare/client';
import { readRuleset } from '../cloudflare/rulesets';
import { isIdentifier } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { CLOUDFLARE_RULESET } from '../ruleset/known-rulesets';
import { readJsonFile } from '../files/read-json-file';
import { unlessRefused } from '../cloudflare/collection';

const identifier = z.string().refine(isIdentifier, 'not 32 hexadecimal digits');
const ruleset = z.object({
  id: z.literal(CLOUDFLARE_RULESET),
  rules: z.array(z.object({ id: identifier })).min(1),
});

/**
 * The ids of the rules of the Cloudflare Managed Ruleset, from a saved answer of
 * `GET /zones/<zone>/rulesets/efb7b8c949ac4650a09736fc376e9aee`, with or without its envelope.
 * @throws MigrationError `FILE_UNREADABLE`, `MANAGED_RULESET_INVALID`
 */
export async function readSavedManagedIds(path: string): Promise<ReadonlySet<string>> {
  return parseManagedIds(await readJsonFile(path), printable(path));
}

/**
 * The same from the Cloudflare API, as the zone sees it.
 * @returns undefined if the credentials cannot read it: endings then stay unresolved
 * @throws MigrationError `MANAGED_RULESET_INVALID`, and those of the client except refusals
 */
export async function readManagedIds(
  client: Client,
  zoneId: string,
): Promise<ReadonlySet<string> | undefined> {
  const answer = await unlessRefused(readRuleset(client, zoneId, CLOUDFLARE_RULESET));
  return answer && parseManagedIds(answer, `the managed ruleset of zone ${zoneId}`);
}

/** An empty list is refused: it would mean that no rule exists. */
function parseManagedIds(document: unknown, what: string): ReadonlySet<string> {
  const parsed = z.union([ruleset, z.object({ result: ruleset })]).safeParse(document);
  if (!parsed.success) {
    throw new MigrationError(
      'MANAGED_RULESET_INVALID',
      `${what} is not the Cloudflare Managed Ruleset (${CLOUDFLARE_RULESET}) with its rules`,
    );
  }
  const { rules } = 'result' in parsed.data ? parsed.data.result : parsed.data;
  return new Set(rules.map(({ id }) => id));
}
