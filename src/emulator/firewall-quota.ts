import { type FirewallRule } from './firewall';
import { type Refusal, refusal } from './refusal';
import { type World } from './world';
import { type Plan, type Zone } from './zone';

/** Rules that a zone may have by its plan: not in the specification; public plan tables. */
const planQuota: Readonly<Record<Plan, number>> = { pro: 20, business: 100, enterprise: 1000 };

/**
 * Why rules that are valid cannot be created: the quota, or a feature that the plan has not. Only
 * these two leave inline filters behind (spec, "Errors"). Their codes are not known.
 */
export function refusedByPlan(
  zone: Zone,
  drafts: readonly Pick<FirewallRule, 'action'>[],
  world: World,
): Refusal | undefined {
  const quota = world.settings.firewallRuleQuota ?? planQuota[zone.plan];
  if (zone.firewallRules.length + drafts.length > quota) {
    return refusal(400, undefined, `exceeded the maximum number of firewall rules: ${quota}`);
  }
  const index = drafts.findIndex((draft) => !hasAction(zone, draft));
  return index < 0 ? undefined : actionNotAvailable(`/${index}/action`);
}

/** Whether the plan of a zone has the action: `log` is for Enterprise. */
export const hasAction = (zone: Zone, { action }: Pick<FirewallRule, 'action'>): boolean =>
  action !== 'log' || zone.plan === 'enterprise';

/** The refusal of an action that the plan has not. */
export const actionNotAvailable = (pointer: string): Refusal =>
  refusal(400, undefined, 'action log is not available on this plan', pointer);
