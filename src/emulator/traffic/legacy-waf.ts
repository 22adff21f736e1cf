import { type Fields, holds } from '../expression/evaluate';
import { bypassRules } from '../resources/firewall-rules';
import { activePageRules, matchesPattern, patternOf, wafEffect } from '../resources/page-rules';
import {
  type FirewallRule,
  isJsonObject,
  type Json,
  type LegacyGroup,
  type LegacyPackage,
  type LegacyRule,
  type Zone,
} from '../world';
import { type Matches, type SampleRequest, uriOf } from './sample-request';
import { textsOf, untilTerminated, type Verdict } from './verdict';

/** Scores at which the legacy OWASP package acts: public documentation. */
const thresholds: Readonly<Record<string, number>> = { low: 60, medium: 40, high: 25, default: 25 };

/** The rule that the legacy OWASP package acts with. */
const OWASP_BLOCK_RULE = '981176';

/** Runs a request through the legacy WAF, unless something excludes it. */
export function runLegacyWaf(
  zone: Zone,
  request: SampleRequest,
  fields: Fields,
  matches: Matches,
): Verdict[] {
  if (!switchedOn(zone, request)) return [];
  if (bypassRules(zone).some((rule) => filterMatches(zone, rule, fields))) return [];
  const override = overrideFor(zone, request);
  const verdicts = zone.legacyWaf.packages
    .filter((one) => one.detection_mode === 'traditional')
    .flatMap((one) => traditional(one, matches, override));
  const owasp = zone.legacyWaf.packages
    .filter((one) => one.detection_mode === 'anomaly')
    .flatMap((one) => anomaly(one, matches));
  return untilTerminated([...verdicts, ...owasp]);
}

/** The first page rule that matches decides, where it says anything; else the zone's switch. */
function switchedOn(zone: Zone, request: SampleRequest): boolean {
  const { scheme, host } = request;
  const url = { scheme, host, uri: uriOf(request) };
  const first = activePageRules(zone.pageRules).find((rule) =>
    matchesPattern(patternOf(rule), url),
  );
  const effect = first === undefined ? undefined : wafEffect(first);
  return effect === undefined ? zone.legacyWaf.enabled : effect === 'on';
}

/** What a URI-based override says of a rule: its mode, or none. */
type Override = (group: LegacyGroup, rule: LegacyRule) => string | undefined;

/** Of the overrides that match, the one with the lowest priority wins (public documentation). */
function overrideFor(zone: Zone, request: SampleRequest): Override {
  const { scheme, host } = request;
  const url = { scheme, host, uri: uriOf(request) };
  const [found] = zone.legacyWaf.overrides
    .filter(({ paused }) => paused !== true)
    .filter(({ urls }) => textsOf(urls).some((pattern) => matchesPattern(pattern, url)))
    .sort((one, other) => Number(one['priority'] ?? 0) - Number(other['priority'] ?? 0));
  if (found === undefined) return () => undefined;
  const rewrite = mapOf(found['rewrite_action']);
  return (group, rule) => {
    const mode = mapOf(found['rules']).get(rule.id) ?? mapOf(found['groups']).get(group.id);
    const current = mode ?? rule.mode;
    return rewrite.get(current) ?? mode;
  };
}

function traditional(one: LegacyPackage, matches: Matches, override: Override): Verdict[] {
  return one.groups.flatMap((group) =>
    group.rules.flatMap((rule) => {
      if (!matches.legacy.has(rule.id)) return [];
      const chosen = override(group, rule);
      if (group.mode === 'off' && chosen === undefined) return [];
      const mode = chosen ?? rule.mode;
      const action = mode === 'default' || mode === 'on' ? (rule.default_mode ?? 'block') : mode;
      return action === 'disable' || action === 'off'
        ? []
        : [verdict(action, rule.id, rule.description)];
    }),
  );
}

function anomaly(one: LegacyPackage, matches: Matches): Verdict[] {
  const score = one.groups
    .filter((group) => group.mode === 'on')
    .flatMap((group) => group.rules)
    .filter((rule) => rule.mode === 'on')
    .reduce((sum, { id }) => sum + (matches.legacyScores.get(id) ?? 0), 0);
  const threshold = thresholds[one.sensitivity ?? 'off'] ?? Infinity;
  if (score < threshold) return [];
  return [
    verdict(one.action_mode ?? 'challenge', OWASP_BLOCK_RULE, 'Inbound Anomaly Score Exceeded'),
  ];
}

/** The legacy `simulate` is logged. */
function verdict(mode: string, ruleId: string, description: string): Verdict {
  const action = mode === 'simulate' ? 'log' : mode;
  return { action, source: 'waf', ruleId, ref: '', description, metadata: {} };
}

function mapOf(value: Json | undefined): Map<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(entries.flatMap(([key, mode]) => (typeof mode === 'string' ? [[key, mode]] : [])));
}

/** Whether a rule meets a request: neither it nor its filter may be paused. */
export function filterMatches(zone: Zone, rule: FirewallRule, fields: Fields): boolean {
  const filter = zone.filters.find(({ id }) => id === rule.filter);
  if (filter === undefined || rule.paused || filter.paused) return false;
  return holds(filter.expression, fields);
}
