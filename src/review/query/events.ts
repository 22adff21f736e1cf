/**
 * The fields of a security event that the comparison stands on, named as in the service's log export
 * (`firewall_events`), and `SampleInterval`, which only the sampled GraphQL interface has.
 */
export const EVENT_COLUMNS = [
  'RayID',
  'Source',
  'Action',
  'RuleID',
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestPath',
  'ClientRequestQuery',
  'Datetime',
  'SampleInterval',
] as const;

/** A column of {@link EVENT_COLUMNS}. */
export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** One event with every column as text; missing is null. */
export type EventText = Readonly<Partial<Record<EventColumn, string | null>>>;

/**
 * What the words of security events mean (the service's documentation of `firewall_events`; words
 * that only newer or older exports have are included). Words are compared in lower case, without
 * `_`, `-` and spaces.
 */

/** How strong a verdict is; the strongest of a side counts. */
export const RANKS = { none: 0, log: 1, challenge: 2, block: 3 } as const;

/** A value of {@link RANKS}. */
export type Rank = (typeof RANKS)[keyof typeof RANKS];

/** The actions of each rank. */
export const ACTIONS: Readonly<Record<keyof typeof RANKS, readonly string[]>> = {
  block: ['block', 'connectionclose', 'drop', 'forceconnectionclose'],
  challenge: [
    'challenge',
    'jschallenge',
    'managedchallenge',
    'challengefailed',
    'jschallengefailed',
    'challengesolved',
    'jschallengesolved',
    'managedchallengenoninteractivesolved',
    'managedchallengeinteractivesolved',
    'challengebypassed',
    'jschallengebypassed',
    'managedchallengebypassed',
    'managedchallengeskipped',
    'precursorinterstitialpage',
  ],
  // the old `simulate` is logged (facts of the service: "Old simulate appears as log")
  log: ['log', 'simulate'],
  none: ['allow', 'skip', 'bypass'],
};

/** Challenges that the visitor passed, or did not have to: the request goes on. */
export const PASSED: readonly string[] = ACTIONS.challenge.filter((action) =>
  /(?:solved|bypassed|skipped)$/.test(action),
);

/** The sources of the previous WAF's managed rules and of the new one's. */
export const OLD_SOURCE = 'waf';
export const NEW_SOURCE = 'firewallmanaged';

/** The old rule that compares the OWASP score of a request with the threshold; the new one is `SCORING_RULE`. */
export const OLD_SCORE_RULE = '981176';

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
