/**
 * How a law is tried: FC_RUNS times as often as is quick. A failure shows the seed; with that and
 * FC_SHRINK it is made small, which takes minutes for trees of this size.
 */
export function runs(quick: number): { numRuns: number; endOnFailure: boolean; seed?: number } {
  const { FC_RUNS, FC_SHRINK, FC_SEED } = process.env;
  return {
    numRuns: quick * Number(FC_RUNS ?? 1),
    endOnFailure: FC_SHRINK === undefined,
    ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  };
}
