import { type Finding } from '../model/finding';
import { type PlannedState } from './planned-state';

/** What in a state switches the old WAF as a whole, or for some of its requests. */
export function wafSwitches(state: PlannedState): Finding[] {
  return [...pageRules(state), ...wafSettings(state)];
}

function pageRules({ name, pageRules: addresses = [] }: PlannedState): Finding[] {
  if (addresses.length === 0) return [];
  return [
    {
      code: 'PAGE_RULE_SWITCHES_WAF',
      severity: 'decision',
      subject: name,
      message: `page rules switch the old WAF, which has no effect any more: ${addresses.join(', ')}`,
      remedy: 'take the waf action out of them; a skip rule of the ruleset does the same',
    },
  ];
}

/** What the service answers to the setting once the old WAF is gone is not documented. */
function wafSettings({ name, wafSettings: addresses = [] }: PlannedState): Finding[] {
  if (addresses.length === 0) return [];
  return [
    {
      code: 'SETTING_SWITCHES_WAF',
      severity: 'info',
      subject: name,
      message: `settings of zones hold \`waf\`, which switches nothing once a zone has migrated: ${addresses.join(', ')}`,
      remedy: 'take `waf` out of these settings once their zones have migrated',
    },
  ];
}
