import { type Finding } from '../../model/finding';
import { type DeclaredRuleset } from '../../model/ruleset';
import { overridePartsOf } from './override-parts';
import { refused } from './refused';

/** What the validators of provider 3.35 and 4.52 take as the action of an override. */
const ACTIONS = new Set([
  'block',
  'challenge',
  'compress_response',
  'ddos_dynamic',
  'ddos_mitigation',
  'execute',
  'force_connection_close',
  'js_challenge',
  'log',
  'log_custom_field',
  'managed_challenge',
  'redirect',
  'rewrite',
  'route',
  'score',
  'serve_error',
  'set_cache_settings',
  'set_config',
  'skip',
]);

/** Overrides whose action provider 3 and 4 refuse; case counts for 3 alone. */
export function findRefusedActions(ruleset: DeclaredRuleset, major: 3 | 4): Finding[] {
  return overridePartsOf(ruleset).flatMap(({ fields: { action }, path }) => {
    if (typeof action !== 'string') return [];
    if (ACTIONS.has(major === 4 ? action.toLowerCase() : action)) return [];
    return [refused(`${path}.action`, 'an unknown action of an override', major)];
  });
}
