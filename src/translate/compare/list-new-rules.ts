import { type Ruleset, type RulesetRule } from '../../core/ruleset';
import { CLOUDFLARE_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import { type Judged } from './judge-setting';
import { type NewRuleRow, type OverrideRow } from './parity';
import { type ExecuteView, type OverrideView, type RulesetView } from '../../ruleset/view-ruleset';

/** Lists the rules of a ruleset with the legacy settings that they come from. */
export function listNewRules(
  { rules }: Ruleset,
  { executes }: RulesetView,
  judged: readonly Judged[],
): NewRuleRow[] {
  const origins = collectOrigins(judged);
  const byIndex = new Map(executes.map((execute) => [execute.index, execute]));
  return rules.map((rule, position) => {
    const execute = byIndex.get(position);
    const from = [...(origins.get(`${position}`) ?? [])];
    const overrides = execute === undefined ? [] : listOverrides(execute, origins);
    return { ...describeRule(rule, position), ...describeExecute(execute, from), from, overrides };
  });
}

function collectOrigins(judged: readonly Judged[]): Map<string, Set<string>> {
  const origins = new Map<string, Set<string>>();
  const add = (key: string, name: string): void => {
    const names = origins.get(key);
    if (names === undefined) origins.set(key, new Set([name]));
    else names.add(name);
  };
  for (const { entry, judgement } of judged) {
    const name = `${entry.setting.from}.${entry.setting.attribute}`;
    for (const { rule, override } of judgement.places) {
      add(`${rule}`, name);
      if (override !== undefined) add(`${rule}/${override}`, name);
    }
  }
  return origins;
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
  origins: ReadonlyMap<string, ReadonlySet<string>>,
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
    from: [...(origins.get(`${index}/${key}`) ?? [])],
  });
  const whole = all.action !== undefined || all.enabled !== undefined;
  return [
    ...(whole ? [row('ruleset', ruleset, all, 'all')] : []),
    ...[...categories].map(([name, view]) => row('category', name, view, `categories/${name}`)),
    ...[...rules].map(([id, view]) => row('rule', id, view, `rules/${id}`)),
  ];
}
