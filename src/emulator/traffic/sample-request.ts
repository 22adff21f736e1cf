import * as z from 'zod';
import catalogue from '../catalogue/signatures.json';
import { type Fields, type Value } from '../expression/evaluate';

/** A GET request of a visitor to the host of a zone, over HTTPS. */
export interface SampleRequest {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly userAgent: string;
  readonly clientIP: string;
}

/** Path and query as in the request line. */
export function uriOf({ path, query }: SampleRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The fields of the expression language for one request. */
export function fieldsOf(request: SampleRequest, host: string): Fields {
  const uri = uriOf(request);
  const values: ReadonlyMap<string, Value> = new Map<string, Value>([
    ['http.host', host],
    ['http.request.method', 'GET'],
    ['http.request.uri', uri],
    ['http.request.uri.path', request.path],
    ['http.request.uri.query', request.query],
    ['http.request.full_uri', `https://${host}${uri}`],
    ['http.user_agent', request.userAgent],
    ['ip.src', request.clientIP],
    ['ssl', true],
  ]);
  return (name) => values.get(name);
}

const scores = z.record(z.string(), z.int()).default({});
const rows = z.array(
  z.strictObject({
    name: z.string(),
    in: z.array(z.enum(['path', 'query', 'userAgent'])),
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
