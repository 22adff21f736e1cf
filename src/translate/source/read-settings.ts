import { type Client } from '../../cloudflare/client';
import * as firewall from '../../cloudflare/firewall';
import { listPageRules } from '../../cloudflare/firewall';
import { readMigrationStatus } from '../../cloudflare/waf-migration';
import { type LegacySettings } from '../legacy-settings';
import { parseState } from '../../tfstate/parse-state';
import { firewallRuleOf, overrideOf, packageSettingsOf, pageRuleOf } from './settings-from-answers';
import { settingsFromState, type SettingsFromState } from './settings-from-state';
import { isRefusal, notChecked, readOptional } from '../../cloudflare/read-optional';
import { readLegacyWaf } from './read-legacy-waf';

/**
 * The old settings of every zone that raw states tell of.
 * @throws MigrationError `STATE_…`
 */
export function parseLegacySettings(states: readonly Uint8Array[]): SettingsFromState {
  return settingsFromState(states.map((bytes) => parseState(bytes)));
}

/**
 * The old settings of one zone, from the old interfaces, while they answer. Firewall rules and page
 * rules are interfaces of their own: where one is refused, a finding says what is not known.
 * @throws MigrationError those of the client: `API_UNAUTHORIZED` where the zone has moved
 */
export async function readLegacySettings(
  client: Client,
  zoneId: string,
): Promise<SettingsFromState> {
  const [packages, overrides, firewallRules, pageRules, wafSwitch] = await Promise.all([
    readLegacyWaf(client, zoneId).catch(perhapsMoved),
    readOptional(firewall.wafOverrides.list(client, zoneId)),
    readOptional(firewall.firewallRules.list(client, zoneId)),
    readOptional(listPageRules(client, zoneId)),
    readSwitch(client, zoneId),
  ]);
  const settings: LegacySettings = {
    zoneId,
    ...(wafSwitch === undefined ? {} : { wafSwitch }),
    ...packageSettingsOf(packages),
    overrides: overrides.items.map(overrideOf),
    firewallRules: firewallRules.items.map(firewallRuleOf),
    pageRules: pageRules.items.flatMap(pageRuleOf),
  };
  const unread = [
    { what: 'WAF overrides', error: overrides.unread },
    { what: 'firewall rules', error: firewallRules.unread },
    { what: 'page rules', error: pageRules.unread },
  ];
  const findings = unread.flatMap(({ what, error }) =>
    error === undefined ? [] : [notChecked(what, zoneId, error)],
  );
  return { zones: [settings], findings };
}

/** What the old interfaces answer of a zone that has moved is not documented. */
function perhapsMoved(error: unknown): never {
  if (!isRefusal(error)) throw error;
  throw error.withHint(
    'a zone that has moved no longer tells its old settings: pass them with --state or --dir; else check the credentials',
  );
}

/** The status tells whether the previous WAF runs; where it does not answer, it is taken to be on. */
async function readSwitch(client: Client, zoneId: string): Promise<LegacySettings['wafSwitch']> {
  try {
    const { oldWaf } = await readMigrationStatus(client, zoneId);
    // on is what a zone is without a setting
    return oldWaf === 'off' ? { from: 'waf_migration/status', value: oldWaf } : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
