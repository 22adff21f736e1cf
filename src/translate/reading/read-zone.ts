import { type Finding } from '../../core/finding';
import { type LegacySettings } from '../legacy-settings';
import {
  CLOUDFLARE_PACKAGE,
  CLOUDFLARE_RULESET,
  OWASP_RULESET,
} from '../../ruleset/known-rulesets';
import { ALWAYS, anyOf, fits } from '../../ruleset/expressions';
import { type Draft, type SkipDraft } from './draft';
import {
  type Entry,
  type ReadContext,
  report,
  startReading,
  type TranslateOptions,
} from './read-context';
import { decideRulesOn, mergeRules } from './merge-rules';
import { decidePageRule, type PageRuleReading, readPageRules } from './read-page-rules';
import { readFirewallRules } from './read-firewall-rules';
import { readGroups } from './read-groups';
import { readOverrides } from './read-overrides';
import { readPackages } from './read-packages';
import { readRules } from './read-rules';
import { type Want } from './setting';

/** The old settings of a zone, understood: every setting with its verdict, and what to build. */
export interface ZoneReading {
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

/** Reads the old settings of a zone. Pure; the order of the input changes nothing. */
export function readZone(old: LegacySettings, options: TranslateOptions): ZoneReading {
  const context = startReading(old, options);
  const switchedOff = old.wafSwitch?.value === 'off';
  const bypasses = readFirewallRules(context);
  const pageRules = readPageRules(context, switchedOff);
  const runs = switchedOff ? switchedOnBy(context, pageRules) : undefined;
  readSwitch(context, runs);
  const base = switchedOff ? runs?.expression : ALWAYS;
  const owasp = readPackages(context);
  const rules = readRules(context, owasp.off);
  const groups = readGroups(context, owasp.off);
  const general = mergeRules(context, rules.requests, groups);
  decideRulesOn(context, rules.on, groups);
  const plan = readOverrides(context, general, owasp.off, base ?? ALWAYS);
  reportMissingCloudflarePackage(context);
  const draft: Draft = {
    skips: [...distinct([...bypasses, ...pageRules.skips]), ...plan.skips],
    regions: plan.regions,
    base,
    general: plan.general,
    rules: [...general.rules.values()].map((rule) => rule.draft),
    owasp: owasp.draft,
  };
  return base === undefined
    ? silenced(context, draft)
    : { entries: context.ledger.entries(), findings: context.findings, draft };
}

/** Two old things that except the same requests from everything are one exception. */
function distinct(skips: readonly SkipDraft[]): SkipDraft[] {
  const byExpression = new Map<string, SkipDraft>();
  for (const skip of skips) {
    if (!byExpression.has(skip.expression)) byExpression.set(skip.expression, skip);
  }
  return [...byExpression.values()];
}

/** The new WAF has no switch of its own (spec: "States and transitions", rule 3). */
function readSwitch({ ledger, old }: ReadContext, runs: RunsWant | undefined): void {
  if (old.wafSwitch === undefined) return;
  const { from, value } = old.wafSwitch;
  const setting = ledger.add({ kind: 'zone', from, attribute: 'waf', subject: old.zoneId, value });
  if (value !== 'off') {
    ledger.decide(setting, { kind: 'inert', why: 'only off makes a difference' });
    return;
  }
  const wants: Want[] =
    runs === undefined
      ? [CLOUDFLARE_RULESET, OWASP_RULESET].map((ruleset) => ({ kind: 'not-deployed', ruleset }))
      : [runs];
  ledger.decide(setting, { kind: 'wanted', wants });
}

type RunsWant = Extract<Want, { readonly kind: 'runs' }>;

/** Where the zone is off, the WAF runs for what page rules switch on. */
function switchedOnBy(context: ReadContext, { on }: PageRuleReading): RunsWant | undefined {
  if (on.length === 0) return undefined;
  const [expression, also] = [
    anyOf(on.map((one) => one.expression)),
    anyOf(on.map((one) => one.also)),
  ];
  const short = fits(expression);
  const want: RunsWant = { kind: 'runs', expression, also };
  for (const { entry } of on) {
    if (short) {
      decidePageRule(context, entry, { kind: 'wanted', wants: [want] });
      continue;
    }
    const why = 'the expression for the page rules that switch the WAF on is longer than 4 KB';
    const remedy = 'write several rules by hand';
    report(context, 'decision', 'EXPRESSION_TOO_LONG', entry.rule.from, why, remedy);
    decidePageRule(context, entry, { kind: 'unknown', why, remedy });
  }
  return short ? want : undefined;
}

/**
 * A zone whose WAF is off for all requests: nothing that it says has an effect, but for the page rules
 * that may have switched it on.
 */
function silenced({ ledger, old, findings }: ReadContext, draft: Draft): ZoneReading {
  const why = `the WAF of the zone is off (${old.wafSwitch?.from ?? old.zoneId})`;
  const entries = ledger
    .entries()
    .map(({ setting, verdict }): Entry =>
      setting.kind === 'zone' || setting.kind === 'page-rule' || verdict.kind === 'inert'
        ? { setting, verdict }
        : { setting, verdict: { kind: 'inert', why } },
    );
  const finding: Finding = {
    code: 'WAF_SWITCHED_OFF',
    severity: 'blocker',
    subject: old.wafSwitch?.from ?? old.zoneId,
    message: `${why}: there is nothing to deploy`,
    remedy: 'leave the zone without managed rulesets, or deploy them by hand',
  };
  const pageRules = new Set(old.pageRules.map(({ from }) => from));
  const kept = findings.filter(({ subject }) => pageRules.has(subject));
  return { entries, findings: [...kept, finding], draft: { ...draft, skips: [], regions: [] } };
}

/** Every zone that had the previous WAF had the Cloudflare package; it has no settings of its own. */
function reportMissingCloudflarePackage(context: ReadContext): void {
  const { packages, groups, rules, known, zoneId } = context.old;
  const isOurs = (id: string): boolean => context.index.kindOfPackage(id) === 'cloudflare';
  const seen =
    packages.some(({ packageId }) => isOurs(packageId)) ||
    known.packages.some(({ id }) => isOurs(id)) ||
    groups.some((one) => context.index.kindOfGroup(one.groupId, one.packageId) === 'cloudflare') ||
    rules.some(
      (one) => context.index.kindOfRule(one.ruleId, one.packageId, one.groupId) === 'cloudflare',
    );
  if (seen) return;
  report(
    context,
    'info',
    'CLOUDFLARE_PACKAGE_ASSUMED',
    zoneId,
    `nothing is said of the package CloudFlare (${CLOUDFLARE_PACKAGE}): its new ruleset is deployed as it is by default`,
    'check that its groups were on in the zone',
  );
}
