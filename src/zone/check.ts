import { type Client } from '../cloudflare/client';
import { type Optional, readOptional } from '../cloudflare/refusals';
import { SET_KEY } from '../cloudflare/failures';
import {
  type FirewallRule,
  firewallRules,
  listPageRules,
  listWafPackages,
  type PageRule,
  type WafOverride,
  wafOverrides,
} from '../cloudflare/firewall';
import { type Phase, positionOfState, readCompatibility } from '../cloudflare/waf-migration';
import { type Finding, isBlocker } from '../core/finding';
import { posixQuote } from '../core/posix-quote';
import { fits, MAX_EXPRESSION } from '../ruleset/expressions';
import { bypassesWaf } from '../translate/source/legacy-settings';
import { migrationBegun } from './live-status';

export interface CheckResult {
  /** Whether Cloudflare allows the migration, and no blocker is known. */
  readonly compatible: boolean;
  readonly migrationState: string;
  readonly findings: readonly Finding[];
}

/** Checks whether a zone can migrate (spec: "Eligibility"), and lists all blockers. */
export async function check(
  client: Client,
  zoneId: string,
  { phase = 2 }: { readonly phase?: Phase } = {},
): Promise<CheckResult> {
  const { compatible, migrationState } = await readCompatibility(client, zoneId, phase);
  const begun = migrationBegun(zoneId, positionOfState(migrationState));
  if (begun.length > 0) return { compatible, migrationState, findings: begun };
  const { findings } = await findBlockers(client, zoneId, { phase, compatible });
  return { compatible: !findings.some(isBlocker), migrationState, findings };
}

/** At most so many rules are migrated (spec: "Limits"). For larger zones, contact Cloudflare support. */
const MAX_RULES = 200;

/** Blockers by limits that this tool assumes: Cloudflare does not refuse a zone for them. */
export const ASSUMED = ['TOO_MANY_FIREWALL_RULES', 'EXPRESSION_TOO_LONG'] as const;

export interface Blockers {
  readonly findings: readonly Finding[];
  readonly firewallRules: Optional<FirewallRule>;
  readonly pageRules: Optional<PageRule>;
}

/**
 * Finds everything that blocks the migration of a zone, and what the user should know before it.
 * @param compatible the answer of the API; a compatible zone has no URI-based overrides
 */
export async function findBlockers(
  client: Client,
  zoneId: string,
  { phase, compatible }: { readonly phase: Phase; readonly compatible: boolean },
): Promise<Blockers> {
  // a compatible zone meets the conditions of phase one
  const strict = phase === 1 && !compatible;
  const [overrides, rules, pages, packages] = await Promise.all([
    compatible
      ? { items: [], findings: [] }
      : readOptional('WAF overrides', zoneId, wafOverrides.list(client, zoneId)),
    readOptional('firewall rules', zoneId, firewallRules.list(client, zoneId)),
    readOptional('page rules', zoneId, listPageRules(client, zoneId)),
    strict ? activeOwaspPackages(client, zoneId) : [],
  ]);
  const findings = [
    ...uriOverrides(zoneId, overrides.items),
    ...tooManyRules(zoneId, rules.items),
    ...rules.items.flatMap(longExpression),
    ...packages,
    ...(strict ? rules.items.filter(bypassesWaf).map(bypassingRule) : []),
    ...pages.items.flatMap((rule) => pageRule(rule, strict)),
    ...overrides.findings,
    ...rules.findings,
    ...pages.findings,
  ];
  const assumed: readonly string[] = ASSUMED;
  const reasons = findings.filter((one) => isBlocker(one) && !assumed.includes(one.code));
  const isExplained = compatible || reasons.length > 0;
  const isUnread = overrides.findings.length > 0;
  return {
    findings: isExplained ? findings : [unexplained(zoneId, isUnread), ...findings],
    firewallRules: rules,
    pageRules: pages,
  };
}

/** @param isUnread whether the WAF overrides, the usual reason, could not be read */
const unexplained = (subject: string, isUnread: boolean): Finding => ({
  code: 'ZONE_NOT_COMPATIBLE',
  severity: 'blocker',
  subject,
  message: `Cloudflare does not allow this zone to migrate, and ${isUnread ? 'its WAF overrides, which can be the reason, could not be read' : 'no known reason was found'}`,
  remedy: isUnread
    ? `${SET_KEY}; then run the same command again`
    : 'check the zone for URI-based WAF overrides; contact Cloudflare support if there are none',
});

/** The first one has the commands for all. */
function uriOverrides(zoneId: string, overrides: readonly WafOverride[]): Finding[] {
  const [first = '', ...others] = overrides.map(({ id }) => posixQuote(id));
  const all = [
    '1. See which exceptions to add after the migration. 2. If Terraform manages the override, remove its `cloudflare_waf_override` block, and run `terraform state rm` in the folder of its state: otherwise the next apply creates it again. In CDKTF, remove the construct, synthesise, and use the folder cdktf.out/stacks/<stack>. 3. Delete the override; the command saves a copy. The commands, in this order (`terraform` only for step 2):',
    `cf-waf-migrate report --zone ${zoneId} --against ours`,
    ...[first, ...others].map((id) => `terraform state rm "$(terraform state list -id=${id})"`),
    `cf-waf-migrate firewall overrides delete --zone ${zoneId} ${others.length === 0 ? `--id ${first}` : '--all'}`,
  ].join('\n');
  return overrides.map(({ id, urls }, at) => ({
    code: 'URI_OVERRIDE',
    severity: 'blocker',
    subject: id,
    message: `the URI-based WAF override for ${urls.join(', ')} keeps the zone from migrating`,
    remedy: at === 0 ? all : `see the commands for override ${first}`,
  }));
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
  const expression = filter.expression ?? '';
  if (fits(expression)) return [];
  return [
    {
      code: 'EXPRESSION_TOO_LONG',
      severity: 'blocker',
      subject: id,
      message: `the expression of this firewall rule (filter ${filter.id}) has ${Buffer.byteLength(expression)} bytes; at most ${MAX_EXPRESSION} are migrated`,
      remedy: `split the expression over several rules, or ${CONTACT} EXPRESSION_TOO_LONG`,
    },
  ];
}

function phaseOne(subject: string, message: string): Finding {
  const remedy = 'migrate in phase two, which creates an equivalent';
  return { code: 'PHASE_ONE_CONDITION', severity: 'blocker', subject, message, remedy };
}

function bypassingRule({ id, filter }: FirewallRule): Finding {
  const requests = filter.expression ?? 'a deleted filter';
  return phaseOne(id, `this firewall rule bypasses the managed rules for ${requests}`);
}

/** Page rules that switch the legacy managed rules now (spec: "Other mapping rules"). */
function pageRule({ id, status, targets, actions }: PageRule, strict: boolean): Finding[] {
  const switches = actions.filter((one) => one.id === 'disable_security' || one.id === 'waf');
  if (status !== 'active' || switches.length === 0) return [];
  const does = switches.map((one) =>
    typeof one.value === 'string' ? `${one.id} ${one.value}` : one.id,
  );
  const what = `the page rule for ${targets.join(', ')} (${does.join(', ')})`;
  if (strict) return [phaseOne(id, `${what} bypasses, enables or disables the managed rules`)];
  return [
    {
      code: 'PAGE_RULE_WITHOUT_EFFECT',
      severity: 'decision',
      subject: id,
      message: `${what} will no longer switch the managed rules: page rules do not affect the new WAF`,
      remedy:
        'check that the migration configuration has its equivalent, a skip rule; add further exceptions there',
    },
  ];
}

/**
 * Checks what phase one requires of the legacy packages: the WAF off, or only the Cloudflare package on, with
 * OWASP off (spec: "Eligibility").
 */
async function activeOwaspPackages(client: Client, zoneId: string): Promise<Finding[]> {
  const packages = listWafPackages(client, zoneId);
  const { items, findings } = await readOptional('WAF packages', zoneId, packages);
  const blockers = items
    .filter((one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off')
    .map(({ id, name, sensitivity = 'unknown' }) =>
      phaseOne(id, `the package ${name} is on (sensitivity ${sensitivity})`),
    );
  return [...findings, ...blockers];
}
