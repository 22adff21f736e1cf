import * as z from 'zod';
import { MigrationError } from '../core/migration-error';
import { type Comparison } from './comparison';
import { promiseOf } from './propose/proposal';
import { type Outcome, OUTCOMES } from './query/events';

const count = z.number().nonnegative();
const change = z.object({ before: count, after: count });
const baselineSchema = z.object({
  format: z.literal('cf-waf-migrate/review'),
  formatVersion: z.literal(1),
  requests: count,
  classes: z.record(z.enum(OUTCOMES), count),
  proposal: z
    .object({ promise: z.object({ newlyBlocked: change, noLongerBlocked: change }) })
    .optional(),
});

/** A count before and after. The shares stay comparable if the traffic differs. */
interface Moved {
  readonly before: number;
  readonly after: number;
  readonly shareBefore: number;
  readonly shareAfter: number;
}

/** A promise of the earlier review and its result, as shares of the requests. */
interface Kept {
  readonly promised: number;
  readonly actual: number;
  readonly kept: boolean;
}

/** What changed since the baseline. */
export interface Effect {
  readonly classes: Readonly<Partial<Record<Outcome, Moved>>>;
  /** Present if the baseline has a proposal. */
  readonly promise?: { readonly newlyBlocked: Kept; readonly noLongerBlocked: Kept };
}

/**
 * Compares a review with an earlier one.
 * @param document what an earlier `review --json` printed
 * @throws MigrationError `REVIEW_BASELINE_INVALID`
 */
export function effectSince(document: unknown, review: Comparison): Effect {
  const parsed = baselineSchema.safeParse(document);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') || 'document';
    throw new MigrationError('REVIEW_BASELINE_INVALID', `the baseline is not a review: ${place}`);
  }
  const { requests, classes, proposal } = parsed.data;
  const then = (part: number): number => (requests === 0 ? 0 : part / requests);
  const now = (part: number): number => (review.requests === 0 ? 0 : part / review.requests);
  const moved: Partial<Record<Outcome, Moved>> = {};
  for (const outcome of OUTCOMES) {
    const [before, after] = [classes[outcome], review.classes[outcome]];
    if (before === 0 && after === 0) continue;
    moved[outcome] = { before, after, shareBefore: then(before), shareAfter: now(after) };
  }
  if (proposal === undefined) return { classes: moved };
  const seen = promiseOf(review, []);
  const kept = (name: 'newlyBlocked' | 'noLongerBlocked'): Kept => {
    const [promised, actual] = [then(proposal.promise[name].after), now(seen[name].before)];
    return { promised, actual, kept: actual <= promised };
  };
  return {
    classes: moved,
    promise: { newlyBlocked: kept('newlyBlocked'), noLongerBlocked: kept('noLongerBlocked') },
  };
}
