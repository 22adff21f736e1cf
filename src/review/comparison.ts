/** What a rule would change for requests once the old WAF is off. */
export type Change =
  'newly-blocked' | 'newly-logged' | 'no-longer-blocked' | 'no-longer-logged' | 'undecidable';

/** Requests to one path in which a rule acted. */
export interface PathCount {
  readonly host: string;
  readonly path: string;
  readonly requests: number;
  readonly clients: number;
}

/** One request in which a rule acted. */
export interface Sample {
  readonly rayId: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  /** With its question mark, as the export has it. */
  readonly query: string;
  readonly client: string;
  /** UTC, to the second; empty where it is not known. */
  readonly time: string;
}

/** One rule, one outcome and one verdict of it. */
export interface RuleAnswer {
  readonly side: 'old' | 'new';
  readonly ruleId: string;
  readonly name: string;
  /** Of the new WAF, where it is known. */
  readonly ruleset?: string;
  readonly change: Change;
  readonly outcome: Outcome;
  /** What the rule did, or is meant to do. */
  readonly verdict: 'log' | 'challenge' | 'block';
  readonly requests: number;
  /** Of all requests with an event, 0 to 1. */
  readonly share: number;
  /** Distinct addresses. */
  readonly clients: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** The most frequent ones; of all verdicts of the outcome. */
  readonly paths: readonly PathCount[];
  /** Those of this verdict among the first ones of the outcome: none where other verdicts have them all. */
  readonly samples: readonly Sample[];
}

/** Requests whose acting rules of one side are exactly these. */
export interface RuleSet {
  readonly outcome: Outcome;
  readonly side: 'old' | 'new';
  readonly ruleIds: readonly string[];
  readonly requests: number;
}

/** One hour of the time line: examined requests by outcome. */
export interface Hour {
  /** `YYYY-MM-DDTHH`, UTC; empty for events without a time. */
  readonly hour: string;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

/** How the OWASP score rules compare: scores with scores alone. */
export interface ScoreComparison {
  readonly both: number;
  readonly onlyOld: number;
  readonly onlyNew: number;
}

/** The answers of the comparison, made from the result table alone. */
export interface Comparison {
  /** Requests with an event of any product. */
  readonly requests: number;
  readonly classes: Readonly<Record<Outcome, number>>;
  /** Requests of which nobody can know what the other side would have done. */
  readonly undecidable: number;
  /** Events of sampled data. */
  readonly sampled: number;
  readonly scores: ScoreComparison;
  readonly rules: readonly RuleAnswer[];
  readonly timeline: readonly Hour[];
  readonly sets: readonly RuleSet[];
}

/** What became of a request, old WAF against new; one word each, the same in every engine. */
export const OUTCOMES = [
  'both-act',
  'both-log',
  'only-old',
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
 * Undecidable are `hidden` (the new WAF ended the request before the old one saw it), `cut-short`
 * (another rule ended it between the two) and `sampled` (one side is absent in sampled data).
 * `stopped-before`: another rule ended it and neither WAF has an event.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Those whose requests are looked at one by one: rules, paths, samples, time line. */
export const EXAMINED: readonly Outcome[] = [
  'only-old',
  'only-new',
  'stricter',
  'laxer',
  'hidden',
  'cut-short',
  'sampled',
];

/** Those of which nobody can know what the other side would have done. */
export const UNDECIDABLE: readonly Outcome[] = ['hidden', 'cut-short', 'sampled'];
