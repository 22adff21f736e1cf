import * as z from 'zod';
import { MigrationError } from '../model/migration-error';
import { type Comparison, type Outcome, OUTCOMES } from './comparison';

const count = z.number().nonnegative();
const baselineSchema = z.looseObject({
  format: z.literal('cf-waf-migrate/review'),
  formatVersion: z.literal(1),
  requests: count,
  classes: z.record(z.enum(OUTCOMES), count),
  rules: z.array(
    z.looseObject({
      side: z.enum(['old', 'new']),
      ruleId: z.string(),
      change: z.string(),
      requests: count,
    }),
  ),
  proposal: z
    .looseObject({
      promise: z.looseObject({
        newlyBlocked: z.looseObject({ before: count, after: count }),
        noLongerBlocked: z.looseObject({ before: count, after: count }),
      }),
    })
    .optional(),
});

/** An earlier review, as far as it is compared with. */
export type Baseline = z.infer<typeof baselineSchema>;

/** @throws MigrationError `REVIEW_BASELINE_INVALID` */
export function parseBaseline(document: unknown): Baseline {
  const parsed = baselineSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'document';
  throw new MigrationError('REVIEW_BASELINE_INVALID', `the baseline is no review: ${place}`);
}

/** A count then and now; shares compare where the traffic is not the same. */
interface Moved {
  readonly before: number;
  readonly after: number;
  readonly shareBefore: number;
  readonly shareAfter: number;
}

/** A promise of the earlier review and what came of it. */
interface Kept {
  readonly promised: number;
  readonly actual: number;
  readonly kept: boolean;
}

/** What changed since the baseline. */
export interface Effect {
  readonly classes: Readonly<Partial<Record<Outcome, Moved>>>;
  /** Rules that changed something then, and whether they still do. */
  readonly rules: readonly {
    readonly side: 'old' | 'new';
    readonly ruleId: string;
    readonly change: string;
    readonly before: number;
    readonly after: number;
  }[];
  /** Where the baseline had a proposal: shares of requests, promised and seen. */
  readonly promise?: { readonly newlyBlocked: Kept; readonly noLongerBlocked: Kept };
}

/** Compares a review with an earlier one. */
export function effectSince(baseline: Baseline, review: Comparison): Effect {
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  const classes = Object.fromEntries(
    OUTCOMES.flatMap((outcome) => {
      const before = baseline.classes[outcome];
      const after = review.classes[outcome];
      if (before === 0 && after === 0) return [];
      const moved: Moved = {
        before,
        after,
        shareBefore: share(before, baseline.requests),
        shareAfter: share(after, review.requests),
      };
      return [[outcome, moved]];
    }),
  );
  const countOf = (rules: readonly Counted[], key: string): number =>
    rules.reduce((sum, rule) => sum + (keyOf(rule) === key ? rule.requests : 0), 0);
  const keys = new Map([...baseline.rules, ...review.rules].map((rule) => [keyOf(rule), rule]));
  const { promise } = baseline.proposal ?? {};
  const noLongerBlocked = review.rules
    .filter(({ outcome, change }) => outcome === 'only-old' && change === 'no-longer-blocked')
    .reduce((sum, { requests }) => sum + requests, 0);
  const kept = (after: number, now: number): Kept => {
    const promised = share(after, baseline.requests);
    const actual = share(now, review.requests);
    return { promised, actual, kept: actual <= promised };
  };
  return {
    classes,
    rules: [...keys].map(([key, { side, ruleId, change }]) => ({
      side,
      ruleId,
      change,
      before: countOf(baseline.rules, key),
      after: countOf(review.rules, key),
    })),
    ...(promise === undefined
      ? {}
      : {
          promise: {
            newlyBlocked: kept(promise.newlyBlocked.after, blockedRequests(review)),
            noLongerBlocked: kept(promise.noLongerBlocked.after, noLongerBlocked),
          },
        }),
  };
}

interface Counted {
  readonly side: 'old' | 'new';
  readonly ruleId: string;
  readonly change: string;
  readonly requests: number;
}

const keyOf = ({ side, ruleId, change }: Counted): string => `${side} ${ruleId} ${change}`;

/** Requests, each once, that a rule of the new WAF alone would stop. */
function blockedRequests({ rules, sets }: Comparison): number {
  const stopping = new Set(
    rules
      .filter(({ outcome, change }) => outcome === 'only-new' && change === 'newly-blocked')
      .map(({ ruleId }) => ruleId),
  );
  return sets.reduce(
    (sum, { outcome, side, ruleIds, requests }) =>
      outcome === 'only-new' && side === 'new' && ruleIds.some((id) => stopping.has(id))
        ? sum + requests
        : sum,
    0,
  );
}
