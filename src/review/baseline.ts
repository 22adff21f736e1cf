import * as z from 'zod';
import { MigrationError } from '../core/migration-error';
import { type Comparison, type Outcome, OUTCOMES } from './comparison';
import { promiseOf } from './propose/proposal';

const count = z.number().nonnegative();
const baselineSchema = z.looseObject({
  format: z.literal('cf-waf-migrate/review'),
  formatVersion: z.literal(1),
  requests: count,
  classes: z.record(z.enum(OUTCOMES), count),
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
  const { promise } = baseline.proposal ?? {};
  const { newlyBlocked, noLongerBlocked } = promiseOf(review, []);
  const kept = (after: number, now: number): Kept => {
    const promised = share(after, baseline.requests);
    const actual = share(now, review.requests);
    return { promised, actual, kept: actual <= promised };
  };
  return {
    classes,
    ...(promise === undefined
      ? {}
      : {
          promise: {
            newlyBlocked: kept(promise.newlyBlocked.after, newlyBlocked.before),
            noLongerBlocked: kept(promise.noLongerBlocked.after, noLongerBlocked.before),
          },
        }),
  };
}
