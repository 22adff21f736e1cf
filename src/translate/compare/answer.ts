import { type LegacyAction } from '../reading/setting';

/** A rule of a ruleset, or an override in it. */
export interface Place {
  /** The position of the rule in the ruleset. */
  readonly rule: number;
  /** `rules/<id>`, `categories/<name>`, or `all` for the override of a whole managed ruleset. */
  readonly override?: string;
}

/** How a ruleset meets one requirement of a setting. */
export interface Answer {
  /** `similar`: almost the same; `other`: something else instead. */
  readonly met: 'same' | 'similar' | 'other' | 'no';
  /** What the ruleset has, in words. */
  readonly to: string;
  /** Why it is not the same. */
  readonly why?: string;
  /** What to do about it, if more specific than the advice for the status. */
  readonly remedy?: string;
  /** It applies to only some of the requests, or is not shown to apply to all. */
  readonly partial?: true;
  /** It protects less than the setting, or is not shown to protect as much. */
  readonly weaker?: true;
  readonly places: readonly Place[];
}

/** From worst to best. */
const ORDER: readonly Answer['met'][] = ['no', 'other', 'similar', 'same'];

/** For `sort`: puts the worst answer first. */
export function byDistance(one: Answer, other: Answer): number {
  const distance = ORDER.indexOf(one.met) - ORDER.indexOf(other.met);
  return distance || Number(other.weaker ?? false) - Number(one.weaker ?? false);
}

/** Whether it meets the setting, at least nearly. */
export function isMet({ met }: Answer): boolean {
  return met === 'same' || met === 'similar';
}

export function nothing(to: string, why: string): Answer {
  return { met: 'no', to, why, places: [] };
}

/**
 * New actions by the legacy action that they replace, the weakest first: the first one of each is equal, the others are
 * similar.
 */
const replacements: Readonly<Record<LegacyAction, readonly string[]>> = {
  simulate: ['log'],
  block: ['block'],
  challenge: ['challenge', 'managed_challenge', 'js_challenge'],
};

export function compareAction(legacy: LegacyAction, action: string): 'same' | 'similar' | 'other' {
  const place = replacements[legacy].indexOf(action);
  if (place < 0) return 'other';
  return place === 0 ? 'same' : 'similar';
}

const BY_STRENGTH: readonly LegacyAction[] = ['simulate', 'challenge', 'block'];

/** Whether a new action stops less than a legacy one, or is not known to stop as much. */
export function isWeaker(legacy: LegacyAction, action: string): boolean {
  const enough = BY_STRENGTH.slice(BY_STRENGTH.indexOf(legacy));
  return !enough.some((one) => replacements[one].includes(action));
}
