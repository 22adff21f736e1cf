import * as z from 'zod';
import { IDENTIFIER } from './identifiers';

const target = z.strictObject({
  target: z.literal('url'),
  constraint: z.strictObject({ operator: z.literal('matches'), value: z.string().min(1) }),
});
const action = z
  .looseObject({ id: z.string().regex(/^[a-z_]+$/, 'is not an action') })
  .superRefine(({ id, value }, context) => {
    if (id !== 'waf' || value === 'on' || value === 'off') return;
    context.addIssue({ code: 'custom', path: ['value'], message: 'must be on or off' });
  });

/** What a caller sets of a page rule. Of its actions only two concern the WAF. */
export const pageRuleFields = {
  targets: z.array(target).length(1),
  actions: z.array(action).min(1),
  priority: z.int().min(1).default(1),
  status: z.enum(['active', 'disabled']).default('disabled'),
};

/** A page rule as a scenario has it. */
export const pageRuleSeed = z.strictObject({
  id: z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits'),
  ...pageRuleFields,
});

/** A page rule: settings for the URLs that one pattern matches. */
export type PageRule = z.infer<typeof pageRuleSeed>;

/** What a page rule does to the previous WAF: nothing, unless it says so. */
export function wafEffect({ actions }: PageRule): 'on' | 'off' | undefined {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  for (const action of actions) {
    if (action.id === 'waf') return action['value'] === 'off' ? 'off' : 'on';
  }
  return undefined;
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

/** A regular expression for text with `*` in it. */
export function wildcard(pattern: string, flags = 's'): RegExp {
  const literal = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, flags);
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
