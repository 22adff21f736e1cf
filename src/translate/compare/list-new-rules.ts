import { groupBy } from '../../core/lists';
import { type Ruleset, type RulesetRule } from '../../core/ruleset';
import { CLOUDFLARE_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import { type ExecuteView, type OverrideView, type RulesetView } from '../../ruleset/view-ruleset';
import { type Setting } from '../reading/setting';
import { type Place } from './answer';
import { type NewRuleRow, type OverrideRow } from './parity';

/** A setting, and the rules and overrides that come from it. */
interface PlacedSetting {
  readonly setting: Setting;
  readonly places: readonly Place[];
}

/** Lists the rules of a ruleset with the legacy settings that they come from. */
export function listNewRules(
  { rules }: Ruleset,
  { executes }: RulesetView,
  settings: readonly PlacedSetting[],
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
    const execute = byIndex.get(position);
    const from = originsOf(`${position}`);
    const overrides = execute === undefined ? [] : listOverrides(execute, originsOf);
    return { ...describeRule(rule, position), ...describeExecute(execute, from), from, overrides };
  });
}

function describeRule(
  { ref, action, expression, description, enabled }: RulesetRule,
  position: number,
): Omit<NewRuleRow, 'from' | 'overrides'> {
  return {
    position,
    ...(ref === undefined ? {} : { ref }),
    action,
    expression,
    ...(description === undefined || description === '' ? {} : { description }),
    enabled: enabled ?? true,
  };
}

function describeExecute(
  execute: ExecuteView | undefined,
  from: readonly string[],
): Pick<NewRuleRow, 'ruleset' | 'rulesetName' | 'because'> {
  if (execute === undefined) return {};
  const { ruleset } = execute;
  const because = 'replaces the package CloudFlare, which every zone had';
  return {
    ruleset,
    rulesetName: rulesetName(ruleset),
    ...(from.length === 0 && ruleset === CLOUDFLARE_RULESET ? { because } : {}),
  };
}

function listOverrides(
  { index, ruleset, rules, categories, all }: ExecuteView,
  originsOf: (key: string) => string[],
): OverrideRow[] {
  const row = (
    kind: OverrideRow['kind'],
    id: string,
    view: OverrideView,
    key: string,
  ): OverrideRow => ({
    kind,
    id,
    ...(view.action === undefined ? {} : { action: view.action }),
    ...(view.enabled === undefined ? {} : { enabled: view.enabled }),
    ...(view.threshold === undefined ? {} : { scoreThreshold: view.threshold }),
    from: originsOf(`${index}/${key}`),
  });
  const whole = all.action !== undefined || all.enabled !== undefined;
  return [
    ...(whole ? [row('ruleset', ruleset, all, 'all')] : []),
    ...[...categories].map(([name, view]) => row('category', name, view, `categories/${name}`)),
    ...[...rules].map(([id, view]) => row('rule', id, view, `rules/${id}`)),
  ];
}
