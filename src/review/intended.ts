import { type Rank, RANKS } from './event-words';

/**
 * What the rules of the new WAF are meant to do after validation. While every new rule only logs
 * (`start-validation --log-only`), a log of a rule counts as this.
 */
export interface Intended {
  /** For rules that are not named. */
  readonly fallback: Rank;
  readonly rules: ReadonlyMap<string, Rank>;
}

/** A log is a log. */
export const AS_LOGGED: Intended = { fallback: RANKS.log, rules: new Map() };
