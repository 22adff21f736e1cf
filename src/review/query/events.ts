/** The fields of a security event, named as in the log export `firewall_events`; `SampleInterval` is in GraphQL only. */
export const EVENT_COLUMNS = [
  'RayID',
  'Source',
  'Action',
  'RuleID',
  'ClientIP',
  'ClientCountry',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestPath',
  'ClientRequestQuery',
  'Datetime',
  'SampleInterval',
] as const;

/** A column of {@link EVENT_COLUMNS}. */
export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** The sources of the managed rules of the legacy WAF and of the new one. */
export const SOURCES = { legacy: 'waf', new: 'firewallmanaged' } as const;

/** Products with the most events beside the two WAFs: any other word counts the same, and is slower to read. */
export const OTHER_SOURCES = [
  ...(['firewallcustom', 'firewallrules', 'ratelimit', 'l7ddos', 'botfight', 'bic'] as const),
  ...(['botmanagement', 'securitylevel', 'ip', 'country', 'asn', 'apishield'] as const),
] as const;

/** The legacy rule that compares the OWASP score of a request with the threshold; the new one is `SCORING_RULE`. */
export const LEGACY_SCORE_RULE = '981176';

/** How strong a verdict is; the strongest of a side counts. */
export const RANKS = { none: 0, log: 1, challenge: 2, block: 3 } as const;

/** A value of {@link RANKS}. */
export type Rank = (typeof RANKS)[keyof typeof RANKS];

/**
 * The actions of each rank, in lower case without `_`, `-` and spaces (Cloudflare's documentation of
 * `firewall_events`, with words that only newer or older exports have).
 */
export const ACTIONS: Readonly<Record<keyof typeof RANKS, readonly string[]>> = {
  block: ['block', 'connectionclose', 'drop', 'forceconnectionclose'],
  // the legacy action `simulate` is logged as `log`
  log: ['log', 'simulate'],
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
  none: ['allow', 'skip', 'bypass'],
};

/** Whether an action ends the request: a challenge that the visitor passed does not. */
export const endsRequest = (action: string): boolean =>
  [...ACTIONS.block, ...ACTIONS.challenge].includes(action) &&
  !/(?:solved|bypassed|skipped)$/.test(action);

/**
 * What an event says of its request, as bits of one integer. `bit_or` over the events of a request is
 * what all of them say: every engine has it, and neither order nor duplicates matter.
 * Bits 0 to 19 hold the ranks of the sides, 4 bits each; the facts are above.
 */
const SIDES = { legacy: 0, new: 1, other: 2, legacyScore: 3, newScore: 4 } as const;

/** A key of {@link SIDES}. */
export type Side = keyof typeof SIDES;

/** The lowest bit of a side: times the bit of a rank it is the bit of a verdict. */
export const sideBit = (side: Side): number => 1 << (SIDES[side] * 4);

/** The bits of these verdicts of these sides. */
export const verdictBits = (sides: readonly Side[], ranks: readonly number[]): number =>
  sides.reduce((all, side) => ranks.reduce((bits, rank) => bits | (sideBit(side) << rank), all), 0);

/** The sides of the two WAFs. */
export const WAF_SIDES: readonly Side[] = ['legacy', 'new', 'legacyScore', 'newScore'];

/** The facts beside the verdicts. */
export const FACT_BITS = {
  /** A rule of the new WAF ended the request. */
  newStopped: 1 << 20,
  /** A rule of neither WAF ended the request. */
  otherStopped: 1 << 21,
  /** Events of this kind are missing from the data. */
  sampled: 1 << 22,
  /** The action is unknown. */
  unknownAction: 1 << 23,
  /** None of the fields is there: a line that is no event. */
  blank: 1 << 24,
  /** Without a Ray ID it belongs to no request. */
  withoutRay: 1 << 25,
} as const;

/** What became of a request, one word each, the same in every engine. */
export const OUTCOMES = [
  'both-act',
  'both-log',
  'only-legacy',
  'only-new',
  'stricter',
  'laxer',
  'hidden',
  'cut-short',
  'sampled',
  'stopped-before',
  'neither',
] as const;

/**
 * A word of {@link OUTCOMES}. `stricter` and `laxer`: both act, and the new one more, or less.
 * `hidden`: the new WAF ended the request before the legacy one saw it. `cut-short`: another rule ended
 * it between the two. `sampled`: one side is absent in sampled data. `stopped-before`: another rule
 * ended it and neither WAF has an event.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that do not tell what the other side would have done. */
export const UNDECIDABLE = ['hidden', 'cut-short', 'sampled'] as const;

/** The outcomes whose requests are examined: rules, paths, samples, time line. */
export const EXAMINED: readonly Outcome[] = [
  ...(['only-legacy', 'only-new', 'stricter', 'laxer'] as const),
  ...UNDECIDABLE,
];
