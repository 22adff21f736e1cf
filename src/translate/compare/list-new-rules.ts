import { groupBy } from '../../core/lists';
import { type Ruleset } from '../../core/ruleset';
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
    const { ref, action, expression, description, enabled = true } = rule;
    const execute = byIndex.get(position);
    const ruleset = execute?.ruleset;
    const from = originsOf(`${position}`);
    const isUnexplained = from.length === 0 && ruleset === CLOUDFLARE_RULESET;
    return {
      ...{ position, ref, action, expression, description: description || undefined, enabled },
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
