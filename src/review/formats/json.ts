import { type Review } from '../review';

/** What scripts read; the sets of rules are only for proposals. */
export function reviewJson(review: Review): Omit<Review, 'sets'> {
  const { format, formatVersion, intake, requests, classes, undecidable, sampled } = review;
  const { scores, rules, timeline, findings, proposal, effect } = review;
  return {
    format,
    formatVersion,
    ...(intake === undefined ? {} : { intake }),
    requests,
    classes,
    undecidable,
    sampled,
    scores,
    rules,
    timeline,
    ...(proposal === undefined ? {} : { proposal }),
    ...(effect === undefined ? {} : { effect }),
    findings,
  };
}
