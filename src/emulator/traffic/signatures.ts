import * as z from 'zod';
import catalogue from '../catalogue/signatures.json';
import { type SampleRequest } from './sample-request';

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
