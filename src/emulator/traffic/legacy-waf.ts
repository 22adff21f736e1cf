import { type Fields, holds } from '../expression/evaluate';
import { bypassRules } from '../resources/firewall-rules';
import { activePageRules, matchesPattern, patternOf, wafEffect } from '../resources/page-rules';
import { type FirewallRule, type LegacyPackage, type Zone } from '../world';
import {
  type Matches,
  type SampleRequest,
  untilTerminated,
  uriOf,
  type Verdict,
} from './sample-request';

/** The score thresholds of the legacy OWASP package (public documentation). */
const thresholds: Readonly<Record<string, number>> = { low: 60, medium: 40, high: 25, default: 25 };

/** The rule that the legacy OWASP package reports when it acts. */
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
  const verdicts = zone.legacyWaf.packages
    .filter((one) => one.detection_mode === 'traditional')
    .flatMap((one) => traditional(one, matches));
  const owasp = zone.legacyWaf.packages
    .filter((one) => one.detection_mode === 'anomaly')
    .flatMap((one) => anomaly(one, matches));
  return untilTerminated([...verdicts, ...owasp]);
}

/** The first matching page rule that sets the WAF decides; otherwise the zone's switch. */
function switchedOn(zone: Zone, request: SampleRequest): boolean {
  const first = activePageRules(zone.pageRules).find((rule) =>
    matchesPattern(patternOf(rule), zone.name, uriOf(request)),
  );
  const effect = first === undefined ? undefined : wafEffect(first);
  return effect === undefined ? zone.legacyWaf.enabled : effect === 'on';
}

function traditional(one: LegacyPackage, matches: Matches): Verdict[] {
  const hits = one.groups
    .filter((group) => group.mode === 'on')
    .flatMap((group) => group.rules)
    .filter(({ id }) => matches.legacy.has(id));
  return hits.flatMap(({ id, mode, default_mode: fallback = 'block', description }) => {
    const action = mode === 'default' || mode === 'on' ? fallback : mode;
    return action === 'disable' || action === 'off' ? [] : [verdict(action, id, description)];
  });
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

/** The legacy action `simulate` is logged as `log`. */
function verdict(mode: string, ruleId: string, description: string): Verdict {
  const action = mode === 'simulate' ? 'log' : mode;
  return { action, source: 'waf', ruleId, ref: '', description, metadata: {} };
}

/** Whether a rule matches a request: the rule and its filter must not be paused. */
export function filterMatches(zone: Zone, rule: FirewallRule, fields: Fields): boolean {
  const filter = zone.filters.find(({ id }) => id === rule.filter);
  if (filter === undefined || rule.paused || filter.paused) return false;
  return holds(filter.expression, fields);
}
