import { wildcard } from '../expression/evaluate';
import { type Route, zoneRoute } from '../route';
import { type PageRule } from '../world';

/** Page rules, to be read: here for what they do to the legacy WAF (spec, "Other mapping rules"). */
export const pageRuleRoutes: readonly Route[] = [
  // not paged: public documentation
  zoneRoute('/pagerules', {
    GET: ({ zone }) => ({ result: [...zone.pageRules].sort((a, b) => b.priority - a.priority) }),
  }),
];

/** What a page rule does to the legacy WAF: nothing, unless it says so. */
export function wafEffect({ actions }: PageRule): 'on' | 'off' | undefined {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  const waf = actions.find(({ id }) => id === 'waf');
  if (waf === undefined) return undefined;
  return waf['value'] === 'off' ? 'off' : 'on';
}

/** The URL pattern of a page rule. */
export function patternOf({ targets }: PageRule): string {
  return targets[0]?.constraint.value ?? '';
}

/** The page rules that count, the strongest first: of those that match only the first applies. */
export function activePageRules(rules: readonly PageRule[]): PageRule[] {
  return rules
    .filter(({ status }) => status === 'active')
    .sort((one, other) => other.priority - one.priority);
}

/** A URL with simple wildcards, as page rules and URI-based overrides have it, taken apart. */
interface UrlPattern {
  readonly scheme: string | undefined;
  readonly host: string;
  /** From the first slash on, query included; `/` where the pattern has none. */
  readonly uri: string;
}

function split(pattern: string): UrlPattern {
  const [, scheme, host = '', uri] = /^(?:(https?):\/\/)?([^/]*)(\/[^]*)?$/i.exec(pattern) ?? [];
  return { scheme: scheme?.toLowerCase(), host: host.toLowerCase(), uri: uri ?? '/' };
}

/** Whether a pattern matches: `*` stands for any characters. */
export function matchesPattern(
  pattern: string,
  request: { readonly scheme: string; readonly host: string; readonly uri: string },
): boolean {
  const { scheme, host, uri } = split(pattern);
  if (scheme !== undefined && scheme !== request.scheme) return false;
  return wildcard(host).test(request.host.toLowerCase()) && wildcard(uri).test(request.uri);
}

/** The expression that selects what a pattern matches. */
export function patternExpression(pattern: string): string {
  const { scheme, host, uri } = split(pattern);
  const conditions = [
    ...(scheme === undefined ? [] : [scheme === 'https' ? 'ssl' : 'not ssl']),
    ...condition('http.host', host),
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

/** A string of the expression language. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
