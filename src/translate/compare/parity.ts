import { type Finding } from '../../core/finding';
import { type Setting } from '../reading/setting';

/**
 * What became of a legacy setting. `kept`: the ruleset does the same. `changed`: it does something
 * else instead, or not all of it. `lost`: nothing in it corresponds. `without-effect`: the setting
 * changed nothing in the legacy WAF.
 */
export type Status = 'kept' | 'changed' | 'lost' | 'without-effect';

/** All statuses, the most urgent one first. */
export const statuses: readonly Status[] = ['lost', 'changed', 'kept', 'without-effect'];

/** What became of one legacy setting. Each is in exactly one row. */
export interface SettingRow extends Setting {
  readonly status: Status;
  /** What the ruleset has for it; absent where there is nothing. */
  readonly to?: string;
  /** Why it changed, is lost, or has no effect. */
  readonly why?: string;
  /** What to do about it, in the imperative. */
  readonly remedy?: string;
  /** It holds for some of its requests, or nothing shows that it holds for all of them. */
  readonly partial?: true;
  /** OWASP does less than the table of the migration asks for, or nothing shows that it does not. */
  readonly weaker?: true;
  /** The rules of the ruleset that correspond to it, by their position. */
  readonly rules: readonly number[];
}

/** One override in a rule of the ruleset. */
export interface OverrideRow {
  readonly kind: 'rule' | 'category' | 'ruleset';
  /** The id of the rule, the name of the category, or the id of the managed ruleset. */
  readonly id: string;
  readonly action?: string;
  readonly enabled?: boolean;
  readonly scoreThreshold?: number;
  /** The settings that it comes from, as `from.attribute`; empty: none that is known. */
  readonly from: readonly string[];
}

/** One rule of the ruleset, and where it comes from. */
export interface NewRuleRow {
  readonly position: number;
  readonly ref?: string;
  readonly action: string;
  readonly expression: string;
  readonly description?: string;
  readonly enabled: boolean;
  /** The managed ruleset that it runs. */
  readonly ruleset?: string;
  readonly rulesetName?: string;
  /** The settings that it comes from, as `from.attribute`; empty: none that is known. */
  readonly from: readonly string[];
  /** Why it is there, when no setting asks for it. */
  readonly because?: string;
  readonly overrides: readonly OverrideRow[];
}

/** How many settings became what. */
export interface ParitySummary {
  readonly settings: number;
  readonly kept: number;
  readonly changed: number;
  readonly lost: number;
  readonly withoutEffect: number;
  readonly rules: number;
  /** Rules and overrides of the ruleset to which no legacy setting is known. */
  readonly withoutOrigin: number;
}

/** Legacy settings compared with a ruleset. */
export interface Parity {
  readonly zoneId: string;
  readonly settings: readonly SettingRow[];
  readonly rules: readonly NewRuleRow[];
  readonly summary: ParitySummary;
}

/** The legacy settings of a zone compared with a ruleset: a proposed, a live, or a translated one. */
export interface ZoneComparison {
  readonly zoneId: string;
  readonly parity: Parity;
  readonly findings: readonly Finding[];
}

/** Counts the rows of a comparison. */
export function summarise(
  settings: readonly SettingRow[],
  rules: readonly NewRuleRow[],
): ParitySummary {
  const count = (status: Status): number => settings.filter((row) => row.status === status).length;
  const withoutOrigin = rules.flatMap(({ from, because, overrides }) => [
    ...(from.length === 0 && because === undefined ? [from] : []),
    ...overrides.filter((override) => override.from.length === 0),
  ]);
  return {
    settings: settings.length,
    kept: count('kept'),
    changed: count('changed'),
    lost: count('lost'),
    withoutEffect: count('without-effect'),
    rules: rules.length,
    withoutOrigin: withoutOrigin.length,
  };
}

/** The summaries of several zones together. */
export function addSummaries(all: readonly ParitySummary[]): ParitySummary {
  const sum = (of: (one: ParitySummary) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  return {
    settings: sum(({ settings }) => settings),
    kept: sum(({ kept }) => kept),
    changed: sum(({ changed }) => changed),
    lost: sum(({ lost }) => lost),
    withoutEffect: sum(({ withoutEffect }) => withoutEffect),
    rules: sum(({ rules }) => rules),
    withoutOrigin: sum(({ withoutOrigin }) => withoutOrigin),
  };
}
