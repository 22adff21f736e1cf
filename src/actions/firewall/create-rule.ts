import { type Client } from '../../cloudflare/client';
import { createFilters, type FilterFields } from '../../cloudflare/filters';
import {
  createFirewallRules,
  type FirewallRule,
  type FirewallRuleFields,
  type NewFirewallRule,
} from '../../cloudflare/firewall-rules';
import { MigrationError } from '../../model/migration-error';
import { findLeftOver, mayHaveArrived, rulesOf, saysDuplicate } from './find-left-over';
import { renderCreateRule } from './render-command';

/** The two sequences of service.md, "What the service does". */
export type Sequence = 'recommended' | 'simplified';

/** What to create. */
export interface RuleRequest {
  readonly zoneId: string;
  readonly fields: FirewallRuleFields;
  /** A filter that is there, or one that is to be created first. */
  readonly filter: { readonly id: string } | FilterFields;
  readonly sequence: Sequence;
}

/**
 * Creates a firewall rule, with its filter where that is new. What stays behind when the second
 * half fails is named, with the command that finishes the job.
 *
 * @throws MigrationError `FIREWALL_RULE_NOT_CREATED`, `FILTER_EXISTS`, and those of the client
 */
export async function createRule(client: Client, request: RuleRequest): Promise<FirewallRule> {
  const { zoneId, fields, filter, sequence } = request;
  if ('id' in filter) return refer(client, request, filter.id);
  try {
    if (sequence === 'simplified') return await create(client, zoneId, { ...fields, filter });
    const [created] = await createFilters(client, zoneId, [filter]);
    if (created !== undefined) return await refer(client, request, created.id);
  } catch (error) {
    return await explain(client, request, filter, error);
  }
  throw new MigrationError('API_RESPONSE_INVALID', 'the service created no filter');
}

async function create(
  client: Client,
  zoneId: string,
  rule: NewFirewallRule,
): Promise<FirewallRule> {
  const [created] = await createFirewallRules(client, zoneId, [rule]);
  if (created !== undefined) return created;
  throw new MigrationError('API_RESPONSE_INVALID', 'the service created no firewall rule');
}

/** The second step of the recommended sequence. */
async function refer(
  client: Client,
  { zoneId, fields, filter }: RuleRequest,
  filterId: string,
): Promise<FirewallRule> {
  try {
    return await create(client, zoneId, { ...fields, filter: { id: filterId } });
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    // Of a filter that was there before, a rule like it proves nothing.
    if ('id' in filter) throw error;
    if (mayHaveArrived(error)) {
      const rules = await rulesOf(client, zoneId, filterId).catch(() => []);
      const arrived = rules.find(isLike(fields));
      if (arrived !== undefined) return arrived;
    }
    throw notCreated(zoneId, filterId, fields, error);
  }
}

/**
 * Finds out what a failure has left: an inline filter stays when a quota refuses the rule. Whether the
 * filter was there before nobody can tell afterwards.
 */
async function explain(
  client: Client,
  { zoneId, fields, sequence }: RuleRequest,
  wanted: FilterFields,
  error: unknown,
): Promise<FirewallRule> {
  if (!(error instanceof MigrationError) || error.code === 'FIREWALL_RULE_NOT_CREATED') throw error;
  if (error.code !== 'API_REFUSED' && !mayHaveArrived(error)) throw error;
  // What cannot be looked up leaves the first failure as the one that counts.
  const left = await findLeftOver(client, zoneId, wanted.expression).catch(() => undefined);
  if (left === undefined) throw error;
  const { filter, rules } = left;
  if (saysDuplicate(error)) {
    throw new MigrationError(
      'FILTER_EXISTS',
      `filter ${filter.id} of zone ${zoneId} has this expression already`,
      { cause: error, hint: `refer to it: ${renderCreateRule(zoneId, filter.id, fields)}` },
    );
  }
  // In the recommended sequence it was the filter that failed: no rule was sent.
  const perhaps = sequence === 'simplified' && mayHaveArrived(error);
  const isWanted = filter.paused === (wanted.paused ?? false);
  const arrived = perhaps && isWanted ? rules.find(isLike(fields)) : undefined;
  if (arrived !== undefined) return arrived;
  throw notCreated(zoneId, filter.id, fields, error);
}

/** A rule that is as it was asked for; one that stood before would be as good as the new one. */
function isLike(fields: FirewallRuleFields): (rule: FirewallRule) => boolean {
  const gist = ({ action, paused, priority, description, ref, products }: FirewallRuleFields) =>
    JSON.stringify([
      ...[action, paused ?? false, priority ?? null, description ?? '', ref ?? ''],
      [...(products ?? [])].sort(),
    ]);
  return (rule) => gist(rule) === gist(fields);
}

function notCreated(
  zoneId: string,
  filterId: string,
  fields: FirewallRuleFields,
  cause: MigrationError,
): MigrationError {
  return new MigrationError(
    'FIREWALL_RULE_NOT_CREATED',
    `the rule was not created; filter ${filterId} of zone ${zoneId} has its expression and stays`,
    {
      cause,
      hint: `once the quota or the feature is there, finish with: ${renderCreateRule(zoneId, filterId, fields)}`,
    },
  );
}
