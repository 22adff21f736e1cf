import { type Route, zoneRoute } from '../route';
import { type PageRule } from '../world';

/** Page rules, read-only, for their effect on the legacy WAF (spec, "Other mapping rules"). */
export const pageRuleRoutes: readonly Route[] = [
  // not paged: public documentation
  zoneRoute('/pagerules', {
    GET: ({ zone }) => ({ result: [...zone.pageRules].sort((a, b) => b.priority - a.priority) }),
  }),
];

/** The effect of a page rule on the legacy WAF; `undefined` if it has none. */
export function wafEffect({ actions }: PageRule): 'on' | 'off' | undefined {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  const waf = actions.find(({ id }) => id === 'waf');
  if (waf === undefined) return undefined;
  return waf['value'] === 'off' ? 'off' : 'on';
}

export function patternOf({ targets }: PageRule): string {
  return targets[0]?.constraint.value ?? '';
}

/** The active page rules, strongest first. Only the first rule that matches applies. */
export function activePageRules(rules: readonly PageRule[]): PageRule[] {
  return rules
    .filter(({ status }) => status === 'active')
    .sort((one, other) => other.priority - one.priority);
}

/** The expression that is equivalent to a URL pattern with simple wildcards. */
export function patternExpression(pattern: string): string {
  const [, scheme, host = '', uri = '/'] =
    /^(?:(https?):\/\/)?([^/]*)(\/[^]*)?$/i.exec(pattern) ?? [];
  const conditions = [
    ...(scheme === undefined ? [] : [scheme.toLowerCase() === 'https' ? 'ssl' : 'not ssl']),
    ...condition('http.host', host.toLowerCase()),
    ...condition('http.request.uri', uri),
  ];
  if (conditions.length === 0) return 'true';
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' and ')})`;
}

function condition(field: string, pattern: string): string[] {
  const text = pattern.replace(/\*+/g, '*');
  const bare = quote(text.replaceAll('*', ''));
  if (text === '*' || (field === 'http.request.uri' && text === '/*')) return [];
  if (!text.includes('*')) return [`${field} eq ${quote(text)}`];
  if (/^\*[^*]+$/.test(text)) return [`ends_with(${field}, ${bare})`];
  if (/^[^*]+\*$/.test(text)) return [`starts_with(${field}, ${bare})`];
  if (/^\*[^*]+\*$/.test(text)) return [`${field} contains ${bare}`];
  return [`${field} wildcard ${quote(text)}`];
}

/** Quotes a string for the expression language. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
