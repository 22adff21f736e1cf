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
