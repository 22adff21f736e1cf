import * as z from 'zod';
import { describeIssues } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Comparison } from './comparison';
import { classesSchema, type Outcome, OUTCOMES } from './query/events';

const count = z.number().nonnegative();
const baselineSchema = z.object({
  format: z.literal('cf-waf-migrate/review'),
  formatVersion: z.literal(1),
  requests: count,
  classes: classesSchema,
  proposal: z
    .object({ promise: z.object({ newlyBlocked: z.object({ before: count, after: count }) }) })
    .optional(),
});

/** A count before and after. The shares stay comparable if the traffic differs. */
interface Moved {
  readonly before: number;
  readonly after: number;
  readonly shareBefore: number;
  readonly shareAfter: number;
}

export interface Effect {
  readonly classes: Readonly<Partial<Record<Outcome, Moved>>>;
  /** The newly blocked requests that the baseline promised, as shares; present if it has a proposal. */
  readonly promise?: { readonly promised: number; readonly actual: number; readonly kept: boolean };
}

/**
 * Compares a review with an earlier one.
 * @param document what an earlier `review --json` printed
 * @throws MigrationError `REVIEW_BASELINE_INVALID`
 */
export function effectSince(document: unknown, review: Comparison): Effect {
  const parsed = baselineSchema.safeParse(document);
  if (!parsed.success) {
    const where = printable(describeIssues(parsed.error), 300);
    throw new MigrationError('REVIEW_BASELINE_INVALID', `the baseline is not a review: ${where}`);
  }
  const { requests, classes, proposal } = parsed.data;
  const then = (part: number): number => part / Math.max(requests, 1);
  const now = (part: number): number => part / Math.max(review.requests, 1);
  const moved: Partial<Record<Outcome, Moved>> = {};
  for (const outcome of OUTCOMES) {
    const [before, after] = [classes[outcome], review.classes[outcome]];
    if (before === 0 && after === 0) continue;
    moved[outcome] = { before, after, shareBefore: then(before), shareAfter: now(after) };
  }
  if (proposal === undefined) return { classes: moved };
  const promised = then(proposal.promise.newlyBlocked.after);
  const actual = now(review.impact['newly-blocked'].requests);
  return { classes: moved, promise: { promised, actual, kept: actual <= promised } };
}
