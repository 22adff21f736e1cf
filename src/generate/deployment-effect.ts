import { type JsonObject, objectOf, objectsOf } from '../model/json';
import { parametersOf, type RulesetRule, SCORING_RULE } from '../model/ruleset';
import { OWASP_RULESET } from '../translate/known-ids';
import { isScoringOff, whyOwaspOff } from '../translate/parity/owasp-off';
import { type ExecuteView, viewRuleset } from '../translate/parity/ruleset-view';

/** What a deployed managed ruleset does with the requests that it sees. */
export type DeploymentEffect = 'off' | 'logs' | 'acts';

/**
 * What a rule that deploys a managed ruleset does, as far as its overrides say it: those of the whole
 * give way to those of tags and rules. Single rules that are off or log make no whole of it, but for the
 * scoring rule of OWASP. An action of the whole of OWASP that is `log` counts though it was seen not to reach the
 * scoring rule (provider issues 2056, 2287): what may only log is to be told.
 */
export function effectOf(rule: RulesetRule): DeploymentEffect {
  const { enabled = true } = rule;
  if (!enabled || deploysOwaspOff(rule)) return 'off';
  const overrides = objectOf(parametersOf(rule)['overrides']);
  const some = Object.values(overrides).flatMap(objectsOf);
  const allOff = overrides['enabled'] === false;
  const on = some.filter((one) => (allOff ? one['enabled'] === true : one['enabled'] !== false));
  if (allOff && on.length === 0) return 'off';
  const whole = overrides['action'];
  const logs = on.every(
    (one) => (one['action'] ?? whole ?? (allOff ? undefined : 'log')) === 'log',
  );
  return logs && (allOff || whole === 'log' || on.some(isLoggingScore)) ? 'logs' : 'acts';
}

function deploysOwaspOff(rule: RulesetRule): boolean {
  const [execute] = viewRuleset({ rules: [rule] }).executes;
  return execute?.ruleset === OWASP_RULESET && isOwaspOff(execute);
}

/** Whether OWASP surely does nothing: single rules that are switched on count without their levels. */
function isOwaspOff(execute: ExecuteView): boolean {
  if (isScoringOff(execute)) return true;
  const countsOne = [...execute.rules].some(([id, { enabled }]) => enabled && id !== SCORING_RULE);
  return !countsOne && whyOwaspOff(execute) !== undefined;
}

function isLoggingScore(one: JsonObject): boolean {
  return one['id'] === SCORING_RULE && one['action'] === 'log';
}
