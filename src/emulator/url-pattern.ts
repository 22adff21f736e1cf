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
