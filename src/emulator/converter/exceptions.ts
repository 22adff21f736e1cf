import { bypassRules } from '../eligibility';
import { activePageRules, type PageRule, patternOf, wafEffect } from '../page-rule';
import { patternExpression } from '../url-pattern';
import { type Zone } from '../zone';
import { type ConfigRule, configRule } from './config-rule';

/**
 * Skip rules for what did not pass through the old WAF: firewall rules that bypass it, and page
 * rules that disable security or switch it off (spec, "Other mapping rules"). They stand before the
 * rules that they are exceptions from.
 */
export function convertExceptions(zone: Zone): ConfigRule[] {
  return [...convertBypassRules(zone), ...convertOffPageRules(zone)];
}

function convertBypassRules(zone: Zone): ConfigRule[] {
  const filters = new Map(zone.filters.map((filter) => [filter.id, filter]));
  return bypassRules(zone).flatMap(({ filter: id, paused, description = '' }) => {
    const filter = filters.get(id);
    if (filter === undefined) return [];
    return [skipRule(filter.expression, description, !paused && !filter.paused)];
  });
}

function convertOffPageRules(zone: Zone): ConfigRule[] {
  if (!zone.oldWaf.enabled) return [];
  return effective(zone.pageRules, 'off').map(({ rule, expression }) =>
    skipRule(expression, `Page rule ${patternOf(rule)}`, true),
  );
}

/** The expression of the URLs for which page rules switch on a WAF that is off; none otherwise. */
export function switchedOn(zone: Zone): string | undefined {
  if (zone.oldWaf.enabled) return undefined;
  const expressions = effective(zone.pageRules, 'on').map(({ expression }) => expression);
  if (expressions.length === 0) return undefined;
  return expressions.length === 1 ? expressions.join('') : `(${expressions.join(' or ')})`;
}

/** Page rules with one effect, less the URLs that a stronger rule without it takes first. */
function effective(
  rules: readonly PageRule[],
  effect: 'on' | 'off',
): { rule: PageRule; expression: string }[] {
  const active = activePageRules(rules);
  return active.flatMap((rule, index) => {
    if (wafEffect(rule) !== effect) return [];
    const stronger = active
      .slice(0, index)
      .filter((other) => wafEffect(other) !== effect)
      .map((other) => `not ${patternExpression(patternOf(other))}`);
    const own = patternExpression(patternOf(rule));
    return [
      { rule, expression: stronger.length === 0 ? own : `(${[own, ...stronger].join(' and ')})` },
    ];
  });
}

const skipRule = (expression: string, description: string, enabled: boolean): ConfigRule =>
  configRule('skip', expression, description, enabled, { ruleset: 'current' });
