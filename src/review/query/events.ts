import * as z from 'zod';

/** The fields of a security event, as the log export `firewall_events` names them, and as the query does. */
export const EVENT_COLUMNS = {
  RayID: 'ray',
  Source: 'source',
  Action: 'action',
  RuleID: 'rule_id',
  ClientIP: 'client',
  ClientRequestHost: 'host',
  ClientRequestMethod: 'method',
  ClientRequestPath: 'path',
  ClientRequestQuery: 'query_string',
  Datetime: 'seen',
} as const;

export type WafSide = 'legacy' | 'new';

/** The sources of the two WAFs, as exports and the GraphQL API write them; all others are other products. */
export const SOURCES: Readonly<Record<WafSide, readonly string[]>> = {
  legacy: ['waf', 'WAF'],
  new: ['firewallmanaged', 'firewallManaged'],
};

/** The legacy rule that compares the OWASP score of a request with the threshold; the new one is `SCORING_RULE`. */
export const LEGACY_SCORE_RULE = '981176';

/** How strong a verdict is; the strongest of a side counts. */
export const RANKS = { none: 0, log: 1, challenge: 2, block: 3 } as const;

export type Rank = (typeof RANKS)[keyof typeof RANKS];

/**
 * The actions of each rank, without `_` (Cloudflare's documentation of `firewall_events`, with words that only
 * newer or older exports have).
 */
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
  // the legacy action `simulate` is logged as `log`
  log: ['log', 'simulate'],
  none: ['allow', 'skip', 'bypass'],
};

/** The actions that end the request: a challenge that the visitor passed does not. */
export const ENDING_ACTIONS: readonly string[] = [...ACTIONS.block, ...ACTIONS.challenge].filter(
  (action) => !/(?:solved|bypassed|skipped)$/.test(action),
);

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
 * A word of {@link OUTCOMES}. `only-legacy` and `only-new`: the other WAF has no event, or only logs what this one
 * stops. `stricter`: the legacy WAF challenges and the new one blocks; `laxer`: the reverse. `hidden`: the new WAF
 * ended the request before the legacy one saw it. `cut-short`: another rule ended it between the two. `sampled`: one
 * side is absent in sampled data. `stopped-before`: another rule ended it and neither WAF has an event.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that do not tell what the other side would have done. */
export const UNDECIDABLE = ['hidden', 'cut-short', 'sampled'] as const;

/** The outcomes whose requests are examined: rules, paths, clients, samples. */
export const EXAMINED: readonly Outcome[] = [
  ...(['only-legacy', 'only-new', 'stricter', 'laxer'] as const),
  ...UNDECIDABLE,
];

export const classesSchema = z.record(z.enum(OUTCOMES), z.number().nonnegative());

const orEmpty = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? '');
const text = orEmpty(z.string());
/** DuckDB gives bigint. */
const count = z.coerce.number().int().nonnegative();

/** One row of the result table, whichever engine made it. */
export const resultRowSchema = z.object({
  section: z.enum(['event', 'active', 'request', 'rule', 'path', 'client', 'sample']),
  outcome: orEmpty(z.enum([...OUTCOMES, ''])),
  side: orEmpty(z.enum(['legacy', 'new', ''])),
  rule_id: text,
  verdict: count,
  item: text,
  host: text,
  method: text,
  path: text,
  query_string: text,
  client: text,
  requests: count,
  clients: count,
  first_seen: text,
  last_seen: text,
});

export type ResultRow = z.infer<typeof resultRowSchema>;
