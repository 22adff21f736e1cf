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
