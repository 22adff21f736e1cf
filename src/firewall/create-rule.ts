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
import { type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';

/** The two sequences of service.md, "What the service does". */
export type Sequence = 'recommended' | 'simplified';

/** What to create. */
export interface RuleRequest {
  readonly zoneId: string;
  readonly fields: FirewallRuleFields;
  /** An existing filter, or one to create first. */
  readonly filter: { readonly id: string } | FilterFields;
  readonly sequence: Sequence;
}

/**
 * Creates a firewall rule, and its filter if that is new. Errors name the remaining filter and the command that
 * creates the rule for it.
 *
 * @throws MigrationError `FIREWALL_RULE_NOT_CREATED`, and those of the client
 */
export async function createRule(
  client: Client,
  { zoneId, fields, filter, sequence }: RuleRequest,
): Promise<FirewallRule> {
  if ('id' in filter) return firewallRules.create(client, zoneId, { ...fields, filter });
  let created: Filter | undefined;
  try {
    if (sequence === 'simplified')
      return await firewallRules.create(client, zoneId, { ...fields, filter });
    created = await filters.create(client, zoneId, filter);
    return await firewallRules.create(client, zoneId, { ...fields, filter: { id: created.id } });
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    // a refused rule leaves its inline filter; if the search for it fails, the first error counts
    created ??= await findFilter(client, zoneId, filter.expression).catch(() => undefined);
    throw created === undefined ? error : withFilter(error, zoneId, created.id, fields);
  }
}

async function findFilter(
  client: Client,
  zoneId: string,
  expression: string,
): Promise<Filter | undefined> {
  for await (const filter of filters.list(client, zoneId)) {
    if (filter.expression === expression) return filter;
  }
  return undefined;
}

/** Errors without a valid response, after which the rule may exist. */
const UNCONFIRMED: readonly ErrorCode[] = [
  'API_UNREACHABLE',
  'API_UNAVAILABLE',
  'API_RESPONSE_INVALID',
];

/** Returns the error of a rule that was not created, with the filter of its expression. */
function withFilter(
  error: MigrationError,
  zoneId: string,
  filterId: string,
  fields: FirewallRuleFields,
): MigrationError {
  const { cause } = error;
  const command = renderCreateRule(zoneId, filterId, fields);
  // "Config duplicates an already existing config": 10102 for a filter, 10202 for an inline one
  if (cause instanceof ServiceError && (cause.hasCode(10102) || cause.hasCode(10202))) {
    const message = `filter ${filterId} of zone ${zoneId} has this expression already`;
    const hint = `use that filter:\n${command}`;
    return new MigrationError('FIREWALL_RULE_NOT_CREATED', message, { cause: error, hint });
  }
  const [problem, advice] = UNCONFIRMED.includes(error.code)
    ? [
        'no response confirms the rule',
        'check `firewall rules list`; if it does not have the rule, create it',
      ]
    : ['the rule was not created', 'create the rule when the quota or the plan allows it'];
  return new MigrationError(
    'FIREWALL_RULE_NOT_CREATED',
    `${problem}; filter ${filterId} of zone ${zoneId} with its expression still exists`,
    { cause: error, hint: `${advice}:\n${command}` },
  );
}

/** Returns the command that creates a rule for an existing filter. */
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
