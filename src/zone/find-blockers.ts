import { type Client } from '../cloudflare/client';
import {
  type FirewallRule,
  firewallRules,
  listPageRules,
  type PageRule,
  type WafOverride,
  wafOverrides,
} from '../cloudflare/firewall';
import { notChecked, type Optional, readOptional } from '../cloudflare/collection';
import { type Phase } from '../cloudflare/waf-migration';
import { listWafPackages } from '../cloudflare/waf-packages';
import { type Finding } from '../core/finding';

/** Limits of the migration (spec: "Limits"). For larger zones, contact Cloudflare support. */
const MAX_RULES = 200;
const MAX_EXPRESSION_BYTES = 4096;

const nothing: Optional<WafOverride> = { items: [] };

/**
 * Finds everything that blocks the migration of a zone, and what the user should know before it.
 * @param compatible the answer of the API; a compatible zone has no URI-based overrides
 */
export async function findBlockers(
  client: Client,
  zoneId: string,
  { phase, compatible }: { readonly phase: Phase; readonly compatible: boolean },
): Promise<Finding[]> {
  // a compatible zone meets the conditions of phase one
  const strict = phase === 1 && !compatible;
  const [overrides, rules, pages, phaseOne] = await Promise.all([
    compatible ? nothing : readOptional(wafOverrides.list(client, zoneId)),
    readOptional(firewallRules.list(client, zoneId)),
    readOptional(listPageRules(client, zoneId)),
    strict ? findPhaseOneBlockers(client, zoneId) : [],
  ]);
  const unread = [
    { what: 'WAF overrides', error: overrides.unread },
    { what: 'firewall rules', error: rules.unread },
    { what: 'page rules', error: pages.unread },
  ].flatMap(({ what, error }) => (error === undefined ? [] : [notChecked(what, zoneId, error)]));
  return [
    ...overrides.items.map((override) => uriOverride(zoneId, override)),
    ...tooManyRules(zoneId, rules.items),
    ...rules.items.flatMap(longExpression),
    ...phaseOne,
    ...(strict ? rules.items.filter(bypassesWaf).map(bypassRule) : []),
    ...pages.items.filter(isInForce).map((rule) => pageRule(rule, strict)),
    ...unread,
  ];
}

/** Ensures that the findings of an incompatible zone contain a blocker. */
export function explainedBy(found: readonly Finding[], zoneId: string): readonly Finding[] {
  if (found.some(({ severity }) => severity === 'blocker')) return found;
  const unexplained: Finding = {
    code: 'ZONE_NOT_COMPATIBLE',
    severity: 'blocker',
    subject: zoneId,
    message: 'Cloudflare does not allow this zone to migrate, and no known reason was found',
    remedy:
      'check the zone for URI-based WAF overrides; contact Cloudflare support if there are none',
  };
  return [unexplained, ...found];
}

function uriOverride(zoneId: string, { id, urls }: WafOverride): Finding {
  return {
    code: 'URI_OVERRIDE',
    severity: 'blocker',
    subject: id,
    message: `the URI-based WAF override for ${urls.join(', ')} keeps the zone from migrating`,
    remedy: `delete it; the command saves it to a file first:\ncf-waf-migrate firewall overrides delete --zone ${zoneId} --id ${id}`,
  };
}

const CONTACT =
  'contact Cloudflare support; if the limit does not apply to the zone, run `finish` with --accept';

/**
 * Counts all rules, because it is not documented whether only those that bypass the WAF count. The user can
 * accept this blocker.
 */
function tooManyRules(zoneId: string, rules: readonly FirewallRule[]): Finding[] {
  const { length } = rules;
  if (length <= MAX_RULES) return [];
  return [
    {
      code: 'TOO_MANY_FIREWALL_RULES',
      severity: 'blocker',
      subject: zoneId,
      message: `the zone has ${length} firewall rules, of which ${rules.filter(bypassesWaf).length} bypass the WAF; at most ${MAX_RULES} are migrated`,
      remedy: `${CONTACT} TOO_MANY_FIREWALL_RULES`,
    },
  ];
}

function longExpression(rule: FirewallRule): Finding[] {
  const { id, filter } = rule;
  const bytes = Buffer.byteLength(filter.expression ?? '');
  if (bytes <= MAX_EXPRESSION_BYTES) return [];
  return [
    {
      code: 'EXPRESSION_TOO_LONG',
      severity: 'blocker',
      subject: id,
      message: `the expression of this firewall rule (filter ${filter.id}) has ${bytes} bytes; at most ${MAX_EXPRESSION_BYTES} are migrated`,
      remedy: `split the expression over several rules, or ${CONTACT} EXPRESSION_TOO_LONG`,
    },
  ];
}

function bypassesWaf({ action, products }: FirewallRule): boolean {
  return action === 'bypass' && products?.includes('waf') === true;
}

function bypassRule({ id, filter }: FirewallRule): Finding {
  const matched = filter.expression ?? 'a deleted filter';
  return phaseOne(id, `this firewall rule bypasses the managed rules for ${matched}`);
}

/** A condition of phase one that the zone does not meet. */
function phaseOne(subject: string, message: string): Finding {
  const remedy = 'migrate in phase two, which creates an equivalent';
  return { code: 'PHASE_ONE_CONDITION', severity: 'blocker', subject, message, remedy };
}

function pageRule(rule: PageRule, strict: boolean): Finding {
  const what = describePageRule(rule);
  if (strict) return phaseOne(rule.id, `${what} bypasses, enables or disables the managed rules`);
  return {
    code: 'PAGE_RULE_WITHOUT_EFFECT',
    severity: 'decision',
    subject: rule.id,
    message: `${what} will no longer switch the managed rules: page rules do not affect the new WAF`,
    remedy:
      'check that the migration configuration has its equivalent, a skip rule; add further exceptions there',
  };
}

/** Returns the actions of a page rule that switch the legacy managed rules (spec: "Other mapping rules"). */
function wafSwitchesOf({ actions }: PageRule): PageRule['actions'] {
  return actions.filter(({ id }) => id === 'disable_security' || id === 'waf');
}

/** Whether a page rule switches the legacy managed rules now. */
function isInForce(rule: PageRule): boolean {
  return rule.status === 'active' && wafSwitchesOf(rule).length > 0;
}

function describePageRule(rule: PageRule): string {
  const does = wafSwitchesOf(rule).map(({ id, value }) =>
    typeof value === 'string' ? `${id} ${value}` : id,
  );
  return `the page rule for ${rule.targets.join(', ')} (${does.join(', ')})`;
}

/**
 * Checks what phase one requires of the legacy packages: the WAF off, or only the Cloudflare package on, with
 * OWASP off (spec: "Eligibility").
 */
async function findPhaseOneBlockers(client: Client, zoneId: string): Promise<Finding[]> {
  const { items, unread } = await readOptional(listWafPackages(client, zoneId));
  if (unread !== undefined) return [notChecked('WAF packages', zoneId, unread)];
  return items
    .filter((one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off')
    .map(({ id, name, sensitivity = 'unknown' }) =>
      phaseOne(id, `the package ${name} is on (sensitivity ${sensitivity})`),
    );
}
