import { type Client } from '../cloudflare/client';
import {
  type Filter,
  type FilterFields,
  filters,
  type FirewallRule,
  type FirewallRuleFields,
  firewallRules,
} from '../cloudflare/firewall';
import { ServiceError } from '../cloudflare/failures';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { rulesOf } from './filters';

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
    if (sequence === 'simplified')
      return await firewallRules.create(client, zoneId, { ...fields, filter });
    const created = await filters.create(client, zoneId, filter);
    return await refer(client, request, created.id);
  } catch (error) {
    return await explain(client, request, filter, error);
  }
}

/** The second step of the recommended sequence. */
async function refer(
  client: Client,
  { zoneId, fields, filter }: RuleRequest,
  filterId: string,
): Promise<FirewallRule> {
  try {
    return await firewallRules.create(client, zoneId, { ...fields, filter: { id: filterId } });
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
 * filter was there before cannot be found out afterwards.
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
      { cause: error, hint: `use that filter:\n${renderCreateRule(zoneId, filter.id, fields)}` },
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
    `the rule was not created; filter ${filterId} of zone ${zoneId}, which has its expression, remains`,
    {
      cause,
      hint: `create the rule when the quota or the plan allows it:\n${renderCreateRule(zoneId, filterId, fields)}`,
    },
  );
}

/** What there is of a filter and its rules. */
interface LeftOver {
  readonly filter: Filter;
  readonly rules: readonly FirewallRule[];
}

/** Longer ones are looked for in the whole list: a query has a limit. */
const MAX_QUERY = 500;

/** Looks for the filter with an expression, and for the rules that use it. */
async function findLeftOver(
  client: Client,
  zoneId: string,
  expression: string,
): Promise<LeftOver | undefined> {
  const narrow = expression.length <= MAX_QUERY ? { expression } : {};
  for await (const filter of filters.list(client, zoneId, narrow)) {
    if (filter.expression === expression) {
      return { filter, rules: await rulesOf(client, zoneId, filter.id) };
    }
  }
  return undefined;
}

/** "Config duplicates an already existing config": 10102 of a filter, 10202 of an inline one. */
function saysDuplicate(error: MigrationError): boolean {
  const { cause } = error;
  return cause instanceof ServiceError && (cause.hasCode(10102) || cause.hasCode(10202));
}

/** Whether a write that failed may have been done: no good answer came. */
function mayHaveArrived({ code }: MigrationError): boolean {
  return ['API_UNREACHABLE', 'API_TIMEOUT', 'API_UNAVAILABLE', 'API_RESPONSE_INVALID'].includes(
    code,
  );
}

/** The command that creates a rule for a filter that is there: what finishes a half-done job. */
function renderCreateRule(
  zoneId: string,
  filterId: string,
  { action, paused, priority, description, ref, products }: FirewallRuleFields,
): string {
  const argv = [
    ...['cf-waf-migrate', 'firewall', 'rules', 'create', '--zone', zoneId],
    ...['--filter-id', filterId, '--action', action],
    ...(products ?? []).flatMap((product) => ['--product', product]),
    ...(priority === undefined || priority === null ? [] : ['--priority', String(priority)]),
    ...(paused === true ? ['--paused'] : []),
    ...(typeof description !== 'string' ? [] : ['--description', description]),
    ...(typeof ref !== 'string' ? [] : ['--ref', ref]),
  ];
  return argv.map(posixQuote).join(' ');
}
