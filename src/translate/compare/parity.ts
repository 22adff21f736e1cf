import { type Finding } from '../../core/finding';
import { groupBy } from '../../core/lists';
import { type Ruleset } from '../../core/ruleset';
import { CLOUDFLARE_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import { type ExecuteView, type OverrideView, type RulesetView } from '../../ruleset/view-ruleset';
import { type Setting } from '../reading/setting';
import { type Answer, type Place } from './answer';

/**
 * What happens to a legacy setting. `kept`: the ruleset does the same. `changed`: it does something else, or
 * only a part. `lost`: it has no equivalent. `without-effect`: the setting changed nothing in the legacy WAF.
 */
export type Status = 'kept' | 'changed' | 'lost' | 'without-effect';

/** All statuses, most urgent first. */
export const statuses: readonly Status[] = ['lost', 'changed', 'kept', 'without-effect'];

/** What happens to one legacy setting. Each setting is in exactly one row. */
export interface SettingRow extends Setting, Pick<Answer, 'why' | 'remedy' | 'partial' | 'weaker'> {
  readonly status: Status;
  /** What the ruleset has for it; absent if nothing. */
  readonly to?: string;
  /** The positions of the rules of the ruleset that correspond to it. */
  readonly rules: readonly number[];
}

/** One override in a rule of the ruleset. */
export interface OverrideRow {
  readonly kind: 'rule' | 'category' | 'ruleset';
  /** The id of the rule, the name of the category, or the id of the managed ruleset. */
  readonly id: string;
  readonly action?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly scoreThreshold?: number | undefined;
  /** The settings that it comes from, as `from.attribute`; empty if unknown. */
  readonly from: readonly string[];
}

/** One rule of the ruleset, and where it comes from. */
export interface NewRuleRow {
  readonly position: number;
  readonly ref?: string | undefined;
  readonly action: string;
  readonly expression: string;
  readonly description?: string | undefined;
  readonly enabled: boolean;
  /** The managed ruleset that it runs. */
  readonly ruleset?: string | undefined;
  readonly rulesetName?: string | undefined;
  /** The settings that it comes from, as `from.attribute`; empty if unknown. */
  readonly from: readonly string[];
  /** Why the rule exists, if no setting requires it. */
  readonly because?: string | undefined;
  readonly overrides: readonly OverrideRow[];
}

/** The number of settings for each status. */
export interface ParitySummary {
  readonly settings: number;
  readonly kept: number;
  readonly changed: number;
  readonly lost: number;
  readonly withoutEffect: number;
  readonly rules: number;
  /** Rules and overrides of the ruleset without a known legacy setting. */
  readonly withoutOrigin: number;
}

/** Legacy settings compared with a ruleset. */
export interface Parity {
  readonly settings: readonly SettingRow[];
  readonly rules: readonly NewRuleRow[];
  readonly summary: ParitySummary;
}

/** The legacy settings of a zone compared with a proposed, live or translated ruleset. */
export interface ZoneComparison {
  readonly zoneId: string;
  readonly parity: Parity;
  readonly findings: readonly Finding[];
}

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

export function addSummaries(all: readonly ParitySummary[]): ParitySummary {
  const sum = (name: keyof ParitySummary): number =>
    all.reduce((total, one) => total + one[name], 0);
  return {
    settings: sum('settings'),
    kept: sum('kept'),
    changed: sum('changed'),
    lost: sum('lost'),
    withoutEffect: sum('withoutEffect'),
    rules: sum('rules'),
    withoutOrigin: sum('withoutOrigin'),
  };
}

/** @param settings with the rules and overrides that come from each */
export function listNewRules(
  { rules }: Ruleset,
  { executes }: RulesetView,
  settings: readonly { readonly setting: Setting; readonly places: readonly Place[] }[],
): NewRuleRow[] {
  const named = settings.flatMap(({ setting: { from, attribute }, places }) =>
    places.flatMap(({ rule, override }) =>
      [`${rule}`, `${rule}/${override}`].map((key) => ({ key, name: `${from}.${attribute}` })),
    ),
  );
  const origins = groupBy(named, ({ key }) => key);
  const originsOf = (key: string): string[] => [
    ...new Set(origins.get(key)?.map(({ name }) => name)),
  ];
  const byIndex = new Map(executes.map((execute) => [execute.index, execute]));
  return rules.map((rule, position) => {
    const { ref, action, expression, description, enabled = true } = rule;
    const execute = byIndex.get(position);
    const ruleset = execute?.ruleset;
    const from = originsOf(`${position}`);
    const isUnexplained = from.length === 0 && ruleset === CLOUDFLARE_RULESET;
    return {
      position,
      ref,
      action,
      expression,
      description: description || undefined,
      enabled,
      ruleset,
      rulesetName: ruleset && rulesetName(ruleset),
      because: isUnexplained ? 'replaces the package CloudFlare, which every zone had' : undefined,
      from,
      overrides: execute === undefined ? [] : listOverrides(execute, originsOf),
    };
  });
}

function listOverrides(
  { index, ruleset, rules, categories, all }: ExecuteView,
  originsOf: (key: string) => string[],
): OverrideRow[] {
  const row = (
    kind: OverrideRow['kind'],
    id: string,
    { action, enabled, threshold: scoreThreshold }: OverrideView,
    key: string,
  ): OverrideRow => {
    const from = originsOf(`${index}/${key}`);
    return { kind, id, action, enabled, scoreThreshold, from };
  };
  const whole = all.action !== undefined || all.enabled !== undefined;
  return [
    ...(whole ? [row('ruleset', ruleset, all, 'all')] : []),
    ...[...categories].map(([name, view]) => row('category', name, view, `categories/${name}`)),
    ...[...rules].map(([id, view]) => row('rule', id, view, `rules/${id}`)),
  ];
}
