import equivalents from '../catalogue/equivalents.json';
import {
  type FirewallRule,
  type JsonObject,
  type LegacyGroup,
  type LegacyPackage,
  type LegacyRule,
  type PageRule,
  unsetMode,
  type Zone,
} from '../world';

/**
 * Converts the legacy settings of a zone to the equivalent entry point ruleset, if there is one.
 * Skip rules come first because they are exceptions from the other rules. They replace firewall
 * rules that bypass the legacy WAF and page rules that disable security or the WAF (spec, "Other
 * mapping rules").
 */
export function convertZone(zone: Zone) {
  const { packages } = zone.legacyWaf;
  const deployment = deploymentOf(zone);
  const managed = packages
    .filter((one) => one.detection_mode === 'traditional' && one.name === 'CloudFlare')
    .map((one) => configRule('execute', deployment, managedParameters(one)));
  const owasp = packages
    .filter((one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off')
    .map((one) => configRule('execute', deployment, owaspParameters(one)));
  const switchedOff = zone.legacyWaf.enabled ? pageRuleTraffic(zone, 'off') : [];
  const exceptions = [...bypassTraffic(zone), ...switchedOff].map((traffic) =>
    configRule('skip', traffic, { ruleset: 'current' }),
  );
  return { name: 'default', rules: [...exceptions, ...managed, ...owasp] };
}

interface Traffic {
  readonly expression: string;
  readonly enabled: boolean;
  readonly description?: string | undefined;
}

/** A rule in the form of the API: same order of fields, same blanks (spec, "Ruleset rule"). */
function configRule(
  action: string,
  { expression, description = '', enabled }: Traffic,
  action_parameters: JsonObject,
) {
  const blank = { id: '', version: '' };
  return { ...blank, action, expression, description, ref: '', enabled, action_parameters };
}

/** All traffic. If the WAF is off, only the URLs for which page rules turn it on. */
function deploymentOf(zone: Zone): Traffic {
  const on = zone.legacyWaf.enabled ? [] : pageRuleTraffic(zone, 'on');
  if (on.length === 0) return { expression: 'true', enabled: zone.legacyWaf.enabled };
  const expressions = on.map(({ expression }) => expression);
  return { expression: joined(expressions, 'or'), enabled: true };
}

export function bypassRules({ firewallRules }: Zone): FirewallRule[] {
  return firewallRules.filter(
    ({ action, products = [] }) => action === 'bypass' && products.includes('waf'),
  );
}

function bypassTraffic(zone: Zone): Traffic[] {
  return bypassRules(zone).flatMap(({ filter: id, paused, description }) => {
    const filter = zone.filters.find((one) => one.id === id);
    if (filter === undefined) return [];
    return [{ expression: filter.expression, description, enabled: !paused && !filter.paused }];
  });
}

/** The traffic of page rules with one effect, without the URLs of stronger rules that lack it. */
function pageRuleTraffic(zone: Zone, effect: 'on' | 'off'): Traffic[] {
  const active = activePageRules(zone.pageRules);
  return active.flatMap((rule, index) => {
    if (wafEffect(rule) !== effect) return [];
    const stronger = active.slice(0, index).filter((other) => wafEffect(other) !== effect);
    const own = patternExpression(patternOf(rule));
    const others = stronger.map((other) => `not ${patternExpression(patternOf(other))}`);
    const expression = joined([own, ...others], 'and');
    return [{ expression, description: `Page rule ${patternOf(rule)}`, enabled: true }];
  });
}

/** The effect of a page rule on the legacy WAF; `undefined` if it has none. */
export function wafEffect({ actions }: PageRule): 'on' | 'off' | undefined {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  const waf = actions.find(({ id }) => id === 'waf');
  if (waf === undefined) return undefined;
  return waf['value'] === 'off' ? 'off' : 'on';
}

function patternOf({ targets }: PageRule): string {
  return targets[0]?.constraint.value ?? '';
}

/** The active page rules, strongest first. Only the first rule that matches applies. */
export function activePageRules(rules: readonly PageRule[]): PageRule[] {
  return rules
    .filter(({ status }) => status === 'active')
    .sort((one, other) => other.priority - one.priority);
}

/** The expression that is equivalent to a URL pattern with simple wildcards. */
function patternExpression(pattern: string): string {
  const [, scheme, host = '', uri = '/'] =
    /^(?:(https?):\/\/)?([^/]*)(\/[^]*)?$/i.exec(pattern) ?? [];
  const conditions = [
    ...(scheme === undefined ? [] : [scheme.toLowerCase() === 'https' ? 'ssl' : 'not ssl']),
    ...condition('http.host', host.toLowerCase()),
    ...condition('http.request.uri', uri),
  ];
  return conditions.length === 0 ? 'true' : joined(conditions, 'and');
}

function condition(field: string, pattern: string): string[] {
  const text = pattern.replace(/\*+/g, '*');
  if (text === '*' || (field === 'http.request.uri' && text === '/*')) return [];
  return [`${field} ${text.includes('*') ? 'wildcard' : 'eq'} ${quote(text)}`];
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

const joined = (expressions: readonly string[], connective: string): string =>
  expressions.length === 1 ? expressions.join('') : `(${expressions.join(` ${connective} `)})`;

const CLOUDFLARE_MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP_CORE = '4814384a9e5d4991b9815dcfc25d2f1f';
/** The rule of the OWASP Core Ruleset that acts when the score reaches the threshold. */
const OWASP_SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';

/** Legacy rule id to the ids of its successors: a sample of the API's catalogue. */
const successors: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(equivalents));

/**
 * Legacy modes to new actions. `simulate` becomes `log`, the others are "almost" the same (spec). A
 * migrated zone was seen with `managed_challenge` instead of `challenge`.
 */
const actions: Readonly<Record<string, string>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
};

/**
 * The Cloudflare Managed Ruleset, with one override for each legacy rule that differs from its
 * default. A rule without a known successor is lost, as in the API.
 */
function managedParameters({ groups }: LegacyPackage): JsonObject {
  const rules = groups.flatMap((group) =>
    group.rules.flatMap((rule) => {
      const change = convertRule(group, rule);
      if (change === undefined) return [];
      return (successors.get(rule.id) ?? []).map((id) => ({ id, ...change }));
    }),
  );
  return { id: CLOUDFLARE_MANAGED, ...(rules.length > 0 && { overrides: { rules } }) };
}

/**
 * The override of a rule. A disabled rule keeps its `action` beside `enabled: false`, as seen in
 * responses of the configuration endpoint. Each rule of a disabled group gets its own override,
 * because a tag override would also disable rules that are added later.
 */
function convertRule(group: LegacyGroup, rule: LegacyRule): JsonObject | undefined {
  const fallback = actions[rule.default_mode ?? ''] ?? 'block';
  if (group.mode === 'off' || rule.mode === 'disable' || rule.mode === 'off') {
    return { action: fallback, enabled: false };
  }
  if (rule.mode === unsetMode(rule)) return undefined;
  return { action: actions[rule.mode] ?? fallback, enabled: true };
}

/** Spec, part "OWASP settings mapping": legacy sensitivity to paranoia level and score threshold. */
const mapping: ReadonlyMap<string, { readonly level: number; readonly threshold: number }> =
  new Map([
    ['medium', { level: 1, threshold: 25 }],
    ['low', { level: 1, threshold: 40 }],
  ]);
const highOrDefault = { level: 2, threshold: 40 };

/** The OWASP Core Ruleset. Overrides of legacy groups and rules have no equivalent (spec). */
function owaspParameters({
  sensitivity = '',
  action_mode: action = '',
}: LegacyPackage): JsonObject {
  const { level, threshold } = mapping.get(sensitivity) ?? highOrDefault;
  const categories = [2, 3, 4]
    .filter((one) => one > level)
    .map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));
  const score = {
    id: OWASP_SCORE_RULE,
    action: actions[action] ?? action,
    score_threshold: threshold,
    enabled: true,
  };
  return { id: OWASP_CORE, overrides: { categories, rules: [score] } };
}
