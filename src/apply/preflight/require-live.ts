import { type Client } from '../../cloudflare/client';
import { readEntryPoint } from '../../cloudflare/rulesets';
import { parseRuleset } from '../../ruleset/parse-ruleset';
import { MigrationError } from '../../core/migration-error';
import { MANAGED_PHASE } from '../../core/ruleset';

/** A ruleset that a plan counts on, and its zone. */
interface CountedOn {
  readonly zoneId: string;
  readonly ruleset: { readonly id: string };
}

/**
 * Asks the service whether each ruleset of a plan is the live entry point of its zone: providers 3 to 5
 * import any other ruleset without a word (measured). Sends one GET a zone.
 *
 * @throws MigrationError `RULESET_NOT_LIVE`, and those of the client
 */
export async function requireLiveRulesets(
  zones: readonly CountedOn[],
  client: Client,
): Promise<void> {
  for (const { zoneId, ruleset } of zones) {
    const answer = await readEntryPoint(client, zoneId);
    if (answer === undefined) throw notLive(zoneId, 'the zone has no entry point ruleset');
    // loaded when the answer is there: the question goes out before that
    const { id, kind, phase } = parseRuleset(answer).ruleset;
    if (id !== ruleset.id) {
      throw notLive(
        zoneId,
        `its entry point is ${id ?? 'without an id'}, planned was ${ruleset.id}`,
      );
    }
    if (kind !== 'zone' || phase !== MANAGED_PHASE) {
      throw notLive(zoneId, `the ruleset is of kind ${kind} and phase ${phase}`);
    }
  }
}

function notLive(zoneId: string, what: string): MigrationError {
  return new MigrationError('RULESET_NOT_LIVE', `zone ${zoneId}: ${what}`);
}
