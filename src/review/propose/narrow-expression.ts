import { type PathCount, type Sample } from '../comparison';

/** As the service takes it (spec: "Limits"). */
const LONGEST = 4096;

/**
 * An expression that holds for exactly these paths, host by host; undefined where a host or path is
 * not known, holds characters that a string of the language cannot, or the expression gets too long.
 */
export function expressionOfPaths(paths: readonly PathCount[]): string | undefined {
  const hosts = new Map<string, string[]>();
  for (const { host, path } of paths) {
    if (!isPlain(host) || !isPlain(path)) return undefined;
    hosts.set(host, [...(hosts.get(host) ?? []), path]);
  }
  return joined(
    [...hosts].map(([host, own]) => `http.host eq ${quoted(host)} and ${amongPaths(own)}`),
  );
}

/** An expression that holds for exactly these requests: method, host, path and query. */
export function expressionOfSamples(samples: readonly Sample[]): string | undefined {
  const clauses = samples.map(({ method, host, path, query }) => {
    if (![method, host, path].every(isPlain) || !isPlain(`x${query}`)) return undefined;
    // the export has the query with its question mark, the field without
    const plain = query.replace(/^\?/, '');
    return `http.request.method eq ${quoted(method)} and http.host eq ${quoted(host)} and http.request.uri.path eq ${quoted(path)} and http.request.uri.query eq ${quoted(plain)}`;
  });
  return clauses.includes(undefined)
    ? undefined
    : joined([...new Set(clauses.filter((clause) => clause !== undefined))]);
}

function amongPaths(paths: readonly string[]): string {
  const [first = ''] = paths;
  if (paths.length === 1) return `http.request.uri.path eq ${quoted(first)}`;
  return `http.request.uri.path in {${paths.map(quoted).join(' ')}}`;
}

function joined(clauses: readonly string[]): string | undefined {
  const expression = clauses.map((clause) => `(${clause})`).join(' or ');
  return expression === '' || Buffer.byteLength(expression) > LONGEST ? undefined : expression;
}

const isPlain = (text: string): boolean => text !== '' && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);

/** Quoted strings escape the quote and the backslash (the language's documentation). */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
