import { type Finding } from '../../core/finding';
import { ALWAYS } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET, OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type Draft, type SkipDraft } from '../build-ruleset';
import { type LegacySettings, type LegacySwitch } from '../source/legacy-settings';
import { type Entry, LegacyZone, type TranslateOptions } from './legacy-zone';
import { readFirewallRules } from './read-firewall-rules';
import { readOverrides } from './read-overrides';
import { readPackages } from './read-packages';
import { readPageRules } from './read-page-rules';
import { readRules } from './read-rules';
import { inert, type Want, wanted } from './setting';

/** The legacy settings of a zone with their verdicts, and the ruleset to build. */
export interface ZoneReading {
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  /** Undefined if the WAF is off. */
  readonly draft: Draft | undefined;
}

/** What has to be read. `groups` are read with `rules`, and `known` is no setting. */
type SettingList = Exclude<keyof LegacySettings, 'zoneId' | 'known' | 'groups'>;

interface ListReading {
  readonly entries: readonly Entry[];
  readonly skips?: readonly SkipDraft[];
}

/** Reads the legacy settings of a zone. Pure; the order of the input does not matter. */
export function readZone(settings: LegacySettings, options: TranslateOptions): ZoneReading {
  const zone = new LegacyZone(settings, options);
  const { wafSwitch } = settings;
  const switchedOff = wafSwitch?.value === 'off';
  const firewallRules = readFirewallRules(zone);
  const pageRules = readPageRules(zone, switchedOff);
  const packages = readPackages(zone);
  const rules = readRules(zone);
  const overrides = readOverrides(zone);
  const byList: Readonly<Record<SettingList, ListReading>> = {
    firewallRules,
    pageRules,
    wafSwitch: { entries: readSwitch(settings, pageRules.runs) },
    packages,
    rules,
    overrides,
  };
  const read = Object.values(byList);
  const entries = read.flatMap((list) => list.entries);
  const { findings } = zone;
  if (switchedOff && pageRules.runs === undefined)
    return withoutWaf(wafSwitch, settings.zoneId, entries);
  // legacy rules that except the same requests become one exception
  const skips = new Map<string, SkipDraft>();
  for (const skip of read.flatMap((list) => list.skips ?? [])) {
    const excepted = JSON.stringify([skip.expression, skip.rules]);
    if (!skips.has(excepted)) skips.set(excepted, skip);
  }
  const draft: Draft = {
    skips: [...skips.values()],
    expression: pageRules.runs?.expression ?? ALWAYS,
    rules: rules.rules,
    owasp: packages.owasp,
  };
  return { entries, findings, draft };
}

/** The new WAF has no switch of its own (spec: "States and transitions", rule 3). */
function readSwitch(
  { wafSwitch, zoneId: subject }: LegacySettings,
  runs: Want | undefined,
): Entry[] {
  if (wafSwitch === undefined) return [];
  const { from, value } = wafSwitch;
  const off = [CLOUDFLARE_RULESET, OWASP_RULESET].map((ruleset): Want => ({
    kind: 'not-deployed',
    ruleset,
  }));
  const verdict =
    value === 'off'
      ? wanted(runs === undefined ? off : [runs])
      : inert('only the value off has an effect');
  return [{ setting: { kind: 'zone', from, attribute: 'waf', subject, value }, verdict }];
}

/**
 * The reading of a zone whose WAF is off for all requests: no setting has an effect, except page rules that
 * may have switched it on.
 */
function withoutWaf(
  { from }: LegacySwitch,
  subject: string,
  entries: readonly Entry[],
): ZoneReading {
  const why = `the WAF of the zone is off (${from})`;
  const finding: Finding = {
    code: 'WAF_SWITCHED_OFF',
    severity: 'blocker',
    subject,
    message: `${why}: there is nothing to deploy`,
    remedy: 'leave the zone without managed rulesets, or deploy them by hand',
  };
  return {
    entries: entries.map(({ setting, verdict }) => {
      const counts = setting.kind === 'zone' || setting.kind === 'page-rule';
      return { setting, verdict: counts || verdict.kind === 'inert' ? verdict : inert(why) };
    }),
    findings: [finding],
    draft: undefined,
  };
}
