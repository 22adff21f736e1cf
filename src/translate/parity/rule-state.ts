import { type ExecuteView, type KnownRuleset, type OverrideView } from '../../ruleset/view-ruleset';

type RuleState = Pick<OverrideView, 'enabled' | 'action'>;

/** What overrides say of a rule: of the whole ruleset where no category may speak for it. */
export function stateIn(id: string, { rules, all, categories }: ExecuteView): RuleState {
  const own = rules.get(id);
  const whole = categories.size === 0 ? all : undefined;
  return { enabled: own?.enabled ?? whole?.enabled, action: own?.action ?? whole?.action };
}

/** Why a rule that nothing switches on may be off: an override that sets the action alone does not. */
export function doubtOn(
  id: string,
  { categories, all }: ExecuteView,
  view: KnownRuleset,
): string | undefined {
  const otherwise = all.enabled ?? view.isOnByDefault(id);
  const said = [...categories.values()].flatMap(({ enabled }) => enabled ?? []);
  if (said.some((enabled) => enabled !== otherwise)) return 'which categories it has is not known';
  if (otherwise === undefined) return 'its default is not known';
  if (otherwise) return undefined;
  return all.enabled === undefined ? 'its default is off' : 'the whole ruleset is off';
}

/** In words. */
export function describeState({ enabled, action }: RuleState): string {
  if (enabled === false) return action === undefined ? 'off' : `off (${action})`;
  return action ?? (enabled === true ? 'on' : 'its default');
}
