import { type ExecuteView, type KnownRuleset, type RuleState } from '../../ruleset/view-ruleset';

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
