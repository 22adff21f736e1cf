import * as z from 'zod';
import catalogue from '../catalogue/signatures.json';
import { type Fields, type Value } from '../expression/evaluate';

/** A request of a visitor, as the traffic of a test has it. */
export const sampleRequestSchema = z.strictObject({
  method: z.string().default('GET'),
  scheme: z.enum(['http', 'https']).default('https'),
  /** By default the zone's own name. */
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

/** A sample request, with the host that it went to. */
export type SampleRequest = z.infer<typeof sampleRequestSchema> & { readonly host: string };

/** Path and query as they stand in the request line. */
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

/** What a request looks like to the rules of the old and the new WAF. */
export interface Matches {
  /** Old rules that match. */
  readonly legacy: ReadonlySet<string>;
  /** Rules of managed rulesets that match. */
  readonly managed: ReadonlySet<string>;
  /** Old OWASP rules that match, with what each adds to the score. */
  readonly legacyScores: ReadonlyMap<string, number>;
  /** The same for rules of the new OWASP ruleset. */
  readonly scores: ReadonlyMap<string, number>;
}

/**
 * The rules that a request matches. What the real rules look for is not public: these signatures
 * are the emulator's own, a line or two for each kind of attack that the rules' titles name.
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

/** A rule counts once, with the highest score that a signature gives it. */
function highest(all: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const [id, score] of all.flatMap((one) => Object.entries(one))) {
    scores.set(id, Math.max(score, scores.get(id) ?? 0));
  }
  return scores;
}

/** What one rule did to a request. */
export interface Verdict {
  /** In the words of the Rulesets API: `block`, `managed_challenge`, `log`, `skip` … */
  readonly action: string;
  readonly source: 'waf' | 'firewallmanaged' | 'firewallrules';
  readonly ruleId: string;
  readonly ref: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const terminating = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge']);

/** Whether nothing comes after it: `log`, `skip`, `allow` and `bypass` let a request go on. */
export function terminates({ action }: Pick<Verdict, 'action'>): boolean {
  return terminating.has(action);
}

/** The verdicts up to the first one that terminates. */
export function untilTerminated(verdicts: readonly Verdict[]): Verdict[] {
  const end = verdicts.findIndex(terminates);
  return end < 0 ? [...verdicts] : verdicts.slice(0, end + 1);
}
