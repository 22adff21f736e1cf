import { type LegacyOverride, type LegacySettings } from '../../../src/translate/legacy-settings';
import { type Ruleset } from '../../../src/core/ruleset';
import { expressionMatches } from './expression-model';
import { type ModelRequest, oldMatches } from './old-matcher';

/** What a rule does to a request: `off`, `default`, `does log`. */
export type Doing = string;

const actions: Record<string, string> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
};

/**
 * What an old rule of the Cloudflare package does to a request: of the overrides that match, the one of
 * highest priority that speaks of the rule decides.
 */
export function oldDoing(
  old: LegacySettings,
  ruleId: string,
  groupId: string,
  request: ModelRequest,
): Doing {
  const groupOff = old.groups.some((one) => one.groupId === groupId && one.mode === 'off');
  const own = doing(old.rules.find((one) => one.ruleId === ruleId)?.mode ?? 'default');
  let result = groupOff ? 'off' : own;
  const matching = old.overrides
    .filter(
      ({ paused, urls }) => !paused && urls.some((url) => oldMatches(url, request, 'override')),
    )
    .sort((a, b) => b.priority - a.priority);
  for (const override of matching) {
    result = said(override, ruleId, groupId, groupOff, own) ?? result;
  }
  return result;
}

/** What one override says of a rule; undefined: nothing. */
function said(
  { rules, groups }: LegacyOverride,
  ruleId: string,
  groupId: string,
  groupOff: boolean,
  own: Doing,
): Doing | undefined {
  const [rule, group] = [rules[ruleId], groups[groupId]];
  // a rule only counts if its group is on
  if (rule !== undefined) return groupOff && group !== 'default' ? undefined : doing(rule);
  if (group === 'disable') return 'off';
  return group === 'default' ? own : undefined;
}

function doing(mode: string): Doing {
  if (mode === 'disable' || mode === 'off') return 'off';
  return mode === 'default' || mode === 'on' ? 'default' : `does ${actions[mode]!}`;
}

/**
 * What the rules of a managed ruleset do to a request: a model of the ruleset engine. Rules run in
 * their order; an exception holds for what stands behind it.
 * @returns what a rule does, for each rule of the ruleset that runs the managed one for the request
 */
export function newDoings(
  { rules }: Ruleset,
  managed: string,
  id: string,
  request: ModelRequest,
): Doing[] {
  const doings: Doing[] = [];
  let skipped = false;
  for (const { action, expression, fields, enabled } of rules) {
    if (enabled === false || !expressionMatches(expression, request)) continue;
    const parameters = fields['action_parameters'] as Record<string, any>;
    if (action === 'skip') {
      if (parameters['ruleset'] === 'current') return doings;
      skipped ||=
        parameters['rulesets']?.includes(managed) || parameters['rules']?.[managed]?.includes(id);
    } else if (parameters['id'] === managed) {
      const override = parameters['overrides']?.rules?.find((one: { id: string }) => one.id === id);
      if (skipped || override?.enabled === false) doings.push('off');
      else doings.push(override?.action ? `does ${override.action as string}` : 'default');
    }
  }
  return doings;
}
