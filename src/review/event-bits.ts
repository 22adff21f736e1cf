/**
 * What one event says of its request, and by bitwise or what all events of a request say, in one
 * integer: an aggregate that every engine has, that is indifferent to order and to duplicates.
 * Bits 0 to 19: the side (4 bits each) and the rank; above, facts.
 */
export const SIDES = { old: 0, new: 1, other: 2, oldScore: 3, newScore: 4 } as const;

/** A key of {@link SIDES}. */
export type Side = keyof typeof SIDES;

/** The lowest bit of a side: times the bit of a rank it is the bit of a verdict. */
export const sideBit = (side: Side): number => 1 << (SIDES[side] * 4);

/** The bit of a side's verdict. */
export const verdictBit = (side: Side, rank: number): number => sideBit(side) << rank;

/** The facts beside the verdicts. */
export const FACT_BITS = {
  /** A rule of the new WAF ended the request. */
  newStopped: 1 << 20,
  /** A rule of neither WAF ended the request. */
  otherStopped: 1 << 21,
  /** Events of this kind are missing from the data. */
  sampled: 1 << 22,
  /** The action is a word that is not known. */
  unknownAction: 1 << 23,
  /** None of the fields is there: a line that is no event. */
  blank: 1 << 24,
  /** It has no Ray ID, and belongs to no request. */
  withoutRay: 1 << 25,
} as const;

/** The strongest rank of a side: -1 where it has no event. */
export function strongest(bits: number, side: Side): -1 | 0 | 1 | 2 | 3 {
  const own = (bits >> (SIDES[side] * 4)) & 15;
  return own >= 8 ? 3 : own >= 4 ? 2 : own >= 2 ? 1 : own === 1 ? 0 : -1;
}
