import * as z from 'zod';
import { parseRulesetId, parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { readPages } from './pages';
import { parseObject } from './parse-result';

/** A ruleset in the list of a zone; the list holds no rules. */
export interface RulesetSummary {
  readonly id: string;
  readonly name: string;
  /** `zone`, `managed`, `root`, `custom`, or a word that is not known yet. */
  readonly kind: string;
  readonly phase: string;
  readonly description: string | undefined;
  readonly version: string | undefined;
}

const summarySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    phase: z.string(),
    description: z.string().nullish(),
    version: z.string().nullish(),
  })
  .transform(({ description, version, ...rest }) => ({
    ...rest,
    description: description ?? undefined,
    version: version ?? undefined,
  }));

/** Every ruleset that the zone sees, managed ones included. */
export function listRulesets(client: Client, zoneId: string): AsyncIterable<RulesetSummary> {
  const id = parseZoneId(zoneId);
  return readPages(client, {
    path: `/zones/${id}/rulesets`,
    item: summarySchema,
    paging: 'cursor',
    about: `zone ${id}`,
  });
}

/** One ruleset with its rules, as it came. */
export async function readRuleset(
  client: Client,
  zoneId: string,
  rulesetId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const zone = parseZoneId(zoneId);
  const id = parseRulesetId(rulesetId);
  const about = `ruleset ${id} of zone ${zone}`;
  const envelope = await client.request('GET', `/zones/${zone}/rulesets/${id}`, { about });
  return parseObject(envelope, about);
}
