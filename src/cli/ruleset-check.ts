import { requireLiveRulesets } from '../actions/preflight/require-live';
import { type Plan } from '../plan/plan';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { hasCredentials, type ServiceOptions, withClient } from './service-options';

/** How the service is asked whether the rulesets of a plan are live; without credentials it is not asked. */
export function rulesetCheck(
  { zones }: Plan,
  options: ServiceOptions & CommonOptions,
  context: CliContext,
): (() => Promise<void>) | undefined {
  if (!hasCredentials(options, context)) return undefined;
  return () => withClient(options, context, (client) => requireLiveRulesets(zones, client));
}
