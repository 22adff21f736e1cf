/** A place in a ruleset: one of its rules, or an override in one. */
export interface Place {
  /** Which rule of the ruleset. */
  readonly rule: number;
  /** `rules/<id>`, `categories/<name>`, or `all` for the override of a whole managed ruleset. */
  readonly override?: string;
}

/** How a ruleset answers to one thing that a setting wants. */
export interface Answer {
  /** `similar`: it is there and not quite the same; `other`: something else is there instead. */
  readonly met: 'same' | 'similar' | 'other' | 'no';
  /** What the ruleset has, in words. */
  readonly to: string;
  /** Why it is not the same. */
  readonly why?: string;
  /** What to do about it, where that is known better than from the status. */
  readonly remedy?: string;
  /** It holds for some of the requests, or nothing shows that it holds for all. */
  readonly partial?: true;
  readonly places: readonly Place[];
}

/** Nothing in the ruleset answers. */
export function nothing(to: string, why: string): Answer {
  return { met: 'no', to, why, places: [] };
}
