import { type Finding } from '../../core/finding';
import { ALWAYS, anyOf, fits } from '../../ruleset/expressions';
import {
  CLOUDFLARE_PACKAGE,
  CLOUDFLARE_RULESET,
  OWASP_RULESET,
} from '../../ruleset/known-rulesets';
import { type Draft, type SkipDraft } from '../build-ruleset';
import { type LegacySettings } from '../legacy-settings';
import { type Entry, ReadContext, type TranslateOptions } from './read-context';
import { readFirewallRules } from './read-firewall-rules';
import { readOverrides } from './read-overrides';
import { readPackages } from './read-packages';
import { readPageRules } from './read-page-rules';
import { readRules } from './read-rules';
import { inert, type Want, wanted } from './setting';

/** The legacy settings of a zone, read: every setting with its verdict, and what to build. */
export interface ZoneReading {
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

/** Reads the legacy settings of a zone. Pure; the order of the input changes nothing. */
export function readZone(legacy: LegacySettings, options: TranslateOptions): ZoneReading {
  const context = new ReadContext(legacy, options);
  const switchedOff = legacy.wafSwitch?.value === 'off';
  const bypasses = readFirewallRules(context);
  const pageRules = readPageRules(context, switchedOff);
  const runs = switchedOff ? switchedOnBy(context, pageRules.on) : undefined;
  decideSwitch(context, runs);
  const base = switchedOff ? runs?.expression : ALWAYS;
  const owasp = readPackages(context);
  const general = readRules(context);
  const overrides = readOverrides(context, general, base ?? ALWAYS);
  reportMissingCloudflarePackage(context);
  // two legacy rules that except the same requests from everything become one exception
  const skips = new Map<string, SkipDraft>();
  for (const skip of [...bypasses, ...pageRules.skips]) {
    if (!skips.has(skip.expression)) skips.set(skip.expression, skip);
  }
  const draft: Draft = {
    skips: [...skips.values(), ...overrides.skips],
    regions: overrides.regions,
    base,
    general: overrides.general,
    rules: [...general.rules.values()].map((rule) => rule.draft),
    owasp,
  };
  return base === undefined
    ? withoutWaf(context, draft)
    : { entries: context.entries(), findings: context.findings, draft };
}

type RunsWant = Extract<Want, { readonly kind: 'runs' }>;

/** The new WAF has no switch of its own (spec: "States and transitions", rule 3). */
function decideSwitch(context: ReadContext, runs: RunsWant | undefined): void {
  const { wafSwitch, zoneId: subject } = context.legacy;
  if (wafSwitch === undefined) return;
  const { from, value } = wafSwitch;
  const setting = context.add({ kind: 'zone', from, attribute: 'waf', subject, value });
  const off = [CLOUDFLARE_RULESET, OWASP_RULESET].map((ruleset): Want => ({
    kind: 'not-deployed',
    ruleset,
  }));
  context.decide(
    setting,
    value === 'off'
      ? wanted(runs === undefined ? off : [runs])
      : inert('only the value off has an effect'),
  );
}

/** Where the zone is off, the WAF runs for what page rules switch on. */
function switchedOnBy(
  context: ReadContext,
  on: ReturnType<typeof readPageRules>['on'],
): RunsWant | undefined {
  if (on.length === 0) return undefined;
  const expression = anyOf(on.map((one) => one.expression));
  const short = fits(expression);
  const want: RunsWant = { kind: 'runs', expression, also: anyOf(on.map((one) => one.also)) };
  for (const { from, settings } of on) {
    const why = 'the expression for the page rules that switch the WAF on is longer than 4 KB';
    const verdict = short
      ? wanted([want])
      : context.refuse('EXPRESSION_TOO_LONG', from, why, 'add several rules by hand');
    for (const setting of settings) context.decide(setting, verdict);
  }
  return short ? want : undefined;
}

/**
 * A zone whose WAF is off for all requests: no setting has an effect, except the page rules that may
 * have switched it on.
 */
function withoutWaf(context: ReadContext, draft: Draft): ZoneReading {
  const { wafSwitch, zoneId, pageRules } = context.legacy;
  const subject = wafSwitch?.from ?? zoneId;
  const why = `the WAF of the zone is off (${subject})`;
  const entries = context
    .entries()
    .map(({ setting, verdict }): Entry =>
      setting.kind === 'zone' || setting.kind === 'page-rule' || verdict.kind === 'inert'
        ? { setting, verdict }
        : { setting, verdict: inert(why) },
    );
  const finding: Finding = {
    code: 'WAF_SWITCHED_OFF',
    severity: 'blocker',
    subject,
    message: `${why}: there is nothing to deploy`,
    remedy: 'leave the zone without managed rulesets, or deploy them by hand',
  };
  const places = new Set(pageRules.map(({ from }) => from));
  const kept = context.findings.filter((one) => places.has(one.subject));
  return { entries, findings: [...kept, finding], draft: { ...draft, skips: [], regions: [] } };
}

/** Every zone that had the legacy WAF had the Cloudflare package; it has no settings of its own. */
function reportMissingCloudflarePackage(context: ReadContext): void {
  const { index, legacy } = context;
  const { packages, groups, rules, known, zoneId } = legacy;
  const ids = [
    ...packages.map(({ packageId }) => packageId),
    ...known.packages.map(({ id }) => id),
  ];
  const kinds = [
    ...ids.map((id) => index.kindOfPackage(id)),
    ...groups.map((one) => index.kindOfGroup(one)),
    ...rules.map((one) => index.kindOfRule(one)),
  ];
  if (kinds.includes('cloudflare')) return;
  context.report(
    'info',
    'CLOUDFLARE_PACKAGE_ASSUMED',
    zoneId,
    `the settings do not mention the package CloudFlare (${CLOUDFLARE_PACKAGE}): its new ruleset is deployed with its defaults`,
    'check that the groups of the package were on in the zone',
  );
}
