import { type RulesetCheck } from '../actions/preflight/early-answers';
import { requireLiveRulesets } from '../actions/preflight/require-live';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { hasCredentials, type ServiceOptions, withClient } from './service-options';

/**
 * How the service is asked whether the rulesets of a plan are live; without credentials it is not asked.
 * @param stopped when it is no longer of interest what the service says: what is asked then is given up
 */
export function rulesetCheck(
  options: ServiceOptions & CommonOptions,
  context: CliContext,
  stopped: Promise<void>,
): RulesetCheck | undefined {
  if (!hasCredentials(options, context)) return undefined;
  return (zones) =>
    withClient(options, context, async (client) => {
      await Promise.race([requireLiveRulesets(zones, client), stopped]);
    });
}
