import * as z from 'zod';
import catalogue from '../catalogue/signatures.json';
import { type Fields, type Value } from '../expression/evaluate';

/** A request of a visitor in sample traffic. */
export const sampleRequestSchema = z.strictObject({
  method: z.string().default('GET'),
  scheme: z.enum(['http', 'https']).default('https'),
  /** By default the zone name. */
  host: z.string().optional(),
  port: z.int().min(1).max(65_535).optional(),
  path: z.string().startsWith('/').default('/'),
  /** Without the question mark. */
  query: z.string().default(''),
  body: z.string().default(''),
  userAgent: z.string().default('Mozilla/5.0'),
  referer: z.string().default(''),
  headers: z.record(z.string(), z.string()).default({}),
  clientIP: z.string().default('198.51.100.7'),
  country: z.string().default('us'),
  asn: z.int().default(64_496),
});

/** A sample request with its host. */
export type SampleRequest = z.infer<typeof sampleRequestSchema> & { readonly host: string };

/** Path and query as in the request line. */
export function uriOf({ path, query }: SampleRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The fields of the expression language for one request. */
export function fieldsOf(request: SampleRequest): Fields {
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { scheme, host, path, query, port = scheme === 'https' ? 443 : 80 } = request;
  const uri = uriOf(request);
  const values: ReadonlyMap<string, Value> = new Map<string, Value>([
    ['http.host', host],
    ['http.request.method', request.method],
    ['http.request.uri', uri],
    ['http.request.uri.path', path],
    ['http.request.uri.query', query],
    ['http.request.full_uri', `${scheme}://${host}${uri}`],
    ['http.request.body.raw', request.body],
    ['http.user_agent', request.userAgent],
    ['http.referer', request.referer],
    ['http.cookie', headers.get('cookie') ?? ''],
    ['ip.src', request.clientIP],
    ['ip.src.country', request.country.toUpperCase()],
    ['ip.geoip.country', request.country.toUpperCase()],
    ['ip.src.asnum', request.asn],
    ['ip.geoip.asnum', request.asn],
    ['tcp.dstport', port],
    ['cf.edge.server_port', port],
    ['ssl', scheme === 'https'],
    ['cf.threat_score', 0],
  ]);
  return (name, index) => {
    if (name !== 'http.request.headers' || index === undefined) return values.get(name);
    const value = headers.get(index.toLowerCase());
    return value === undefined ? [] : [value];
  };
}

const scores = z.record(z.string(), z.int()).default({});
const rows = z.array(
  z.strictObject({
    name: z.string(),
    in: z.array(z.enum(['path', 'query', 'body', 'userAgent', 'headers'])),
    pattern: z.string(),
    legacy: z.array(z.string()),
    managed: z.array(z.string()),
    legacyScores: scores,
    scores,
  }),
);
const signatures = rows
  .parse(catalogue.signatures)
  .map((row) => ({ ...row, pattern: new RegExp(row.pattern, 'i') }));

/** The rules of both WAFs that a request matches. */
export interface Matches {
  /** Legacy rules. */
  readonly legacy: ReadonlySet<string>;
  /** Rules of managed rulesets. */
  readonly managed: ReadonlySet<string>;
  /** Legacy OWASP rules, with the score that each adds. */
  readonly legacyScores: ReadonlyMap<string, number>;
  /** Rules of the OWASP Core Ruleset, with the score that each adds. */
  readonly scores: ReadonlyMap<string, number>;
}

/**
 * The rules that a request matches. The patterns of the real rules are not public, so the emulator
 * has its own signatures: one or two lines for each kind of attack that the rule titles name.
 */
export function matchSignatures(request: SampleRequest): Matches {
  const found = signatures.filter((row) =>
    row.in.some((part) => row.pattern.test(textOf(request, part))),
  );
  return {
    legacy: new Set(found.flatMap(({ legacy }) => legacy)),
    managed: new Set(found.flatMap(({ managed }) => managed)),
    legacyScores: highest(found.map((row) => row.legacyScores)),
    scores: highest(found.map((row) => row.scores)),
  };
}

type Part = (typeof signatures)[number]['in'][number];

function textOf(request: SampleRequest, part: Part): string {
  if (part === 'headers') return Object.values(request.headers).join('\n');
  return part === 'query' ? decoded(request.query) : request[part];
}

function decoded(query: string): string {
  const spaced = query.replaceAll('+', ' ');
  try {
    return `${spaced}\n${decodeURIComponent(spaced)}`;
  } catch {
    return spaced;
  }
}

/** A rule counts once, with the highest score of its signatures. */
function highest(all: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const [id, score] of all.flatMap((one) => Object.entries(one))) {
    scores.set(id, Math.max(score, scores.get(id) ?? 0));
  }
  return scores;
}

/** The effect of one rule on a request. */
export interface Verdict {
  /** As in the Rulesets API: `block`, `managed_challenge`, `log`, `skip` … */
  readonly action: string;
  readonly source: 'waf' | 'firewallmanaged' | 'firewallrules';
  readonly ruleId: string;
  readonly ref: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const terminating = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge']);

/** Whether the request ends here: `log`, `skip`, `allow` and `bypass` let it continue. */
export function terminates({ action }: Pick<Verdict, 'action'>): boolean {
  return terminating.has(action);
}

/** The verdicts up to and including the first that terminates. */
export function untilTerminated(verdicts: readonly Verdict[]): Verdict[] {
  const end = verdicts.findIndex(terminates);
  return end < 0 ? [...verdicts] : verdicts.slice(0, end + 1);
}
