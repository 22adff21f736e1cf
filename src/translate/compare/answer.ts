import { type LegacyAction } from '../reading/setting';

/** A place in a ruleset: one of its rules, or an override in one. */
export interface Place {
  /** The position of the rule in the ruleset. */
  readonly rule: number;
  /** `rules/<id>`, `categories/<name>`, or `all` for the override of a whole managed ruleset. */
  readonly override?: string;
}

/** What a ruleset has for one thing that a setting wants. */
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
  /** It does less than the table of the migration asks for, or nothing shows that it does not. */
  readonly weaker?: true;
  readonly places: readonly Place[];
}

/** From the furthest. */
const ORDER: readonly Answer['met'][] = ['no', 'other', 'similar', 'same'];

/** For `sort`: first what is furthest from what a setting wants. */
export function byDistance(one: Answer, other: Answer): number {
  const distance = ORDER.indexOf(one.met) - ORDER.indexOf(other.met);
  return distance || Number(other.weaker ?? false) - Number(one.weaker ?? false);
}

/** Whether it does what a setting wants, or nearly. */
export function isMet({ met }: Answer): boolean {
  return met === 'same' || met === 'similar';
}

/** The answer where the ruleset has nothing. */
export function nothing(to: string, why: string): Answer {
  return { met: 'no', to, why, places: [] };
}

/** New actions by the legacy one that they replace: the first is the very same. */
const replacements: Readonly<Record<LegacyAction, readonly string[]>> = {
  simulate: ['log'],
  block: ['block'],
  challenge: ['challenge', 'managed_challenge', 'js_challenge'],
};

/** How a new action compares with a legacy one. */
export function compareAction(legacy: LegacyAction, action: string): 'same' | 'similar' | 'other' {
  const place = replacements[legacy].indexOf(action);
  if (place < 0) return 'other';
  return place === 0 ? 'same' : 'similar';
}
