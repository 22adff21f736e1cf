import { settingsBackupFile } from '../../files/backups';
import { type Client } from '../../cloudflare/client';
import {
  type FirewallRule,
  firewallRules,
  type LegacyWafPackage,
  listPageRules,
  type PageRule,
  readLegacyWaf,
  type WafOverride,
  wafOverrides,
} from '../../cloudflare/firewall';
import { readOptional, unlessRefused } from '../../cloudflare/refusals';
import { readRuleset } from '../../cloudflare/rulesets';
import { positionOf, readMigrationStatus } from '../../cloudflare/waf-migration';
import { objectOf, objectsOf, textOf } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { builtInCatalogue } from '../catalogue/catalogue';
import { type TranslateOptions } from '../reading/legacy-zone';
import {
  type LegacyPackages,
  type LegacySettings,
  packageSettings,
  readFirewallRule,
  readGroup,
  readOverride,
  readPackage,
  readRule,
  type ReadSettings,
} from './legacy-settings';

/**
 * Reads the legacy settings of one zone from the legacy API. Firewall rules and page rules have separate
 * endpoints: if one refuses, a finding names what is unknown.
 * @throws MigrationError `OLD_SETTINGS_MISSING` if the zone has migrated, and those of the client
 */
export async function readLegacySettings(client: Client, zoneId: string): Promise<ReadSettings> {
  const status = await unlessRefused(readMigrationStatus(client, zoneId));
  if (status !== undefined && positionOf(status) === 'moved') throw settingsGone(zoneId);
  const [oldWaf, overrides, rules, pageRules] = await Promise.all([
    readLegacyWaf(client, zoneId),
    readOptional('WAF overrides', zoneId, wafOverrides.list(client, zoneId)),
    readOptional('firewall rules', zoneId, firewallRules.list(client, zoneId)),
    readOptional('page rules', zoneId, listPageRules(client, zoneId)),
  ]);
  const settings = settingsOfApi({
    zoneId,
    oldWafStatus: status?.oldWaf,
    oldWaf,
    overrides: overrides.items,
    firewallRules: rules.items,
    pageRules: pageRules.items,
  });
  const findings = [...overrides.findings, ...rules.findings, ...pageRules.findings];
  return { zones: [settings], findings };
}

/** How the legacy API answers for a migrated zone is not documented: perhaps with empty lists. */
function settingsGone(zoneId: string): MigrationError {
  const hint = `pass the folder whose state has them, or the file that \`finish\` saved where it ran:\ncf-waf-migrate report --dir <folder> --zone ${zoneId}\ncf-waf-migrate report --backup ${settingsBackupFile(zoneId)}`;
  const message = `zone ${zoneId} is migrated: the legacy API no longer has its settings`;
  return new MigrationError('OLD_SETTINGS_MISSING', message, { hint });
}

/**
 * The catalogue, and the rules of the zone's own Cloudflare Managed Ruleset, which complete its ids. They are unknown
 * if the credentials cannot read them.
 */
export async function readTranslateOptions(
  client: Client | undefined,
  zoneId: string,
): Promise<TranslateOptions> {
  const catalogue = builtInCatalogue();
  if (client === undefined) return { catalogue };
  const answer = await unlessRefused(readRuleset(client, zoneId, CLOUDFLARE_RULESET));
  const ids = objectsOf(answer?.['rules']).map(({ id }) => textOf(id));
  return { catalogue, managedIds: ids.length === 0 ? undefined : new Set(ids) };
}

/** What the legacy API returned about a zone, now or in a backup; null for what a backup could not save. */
interface LegacyAnswers {
  readonly zoneId: string;
  readonly oldWafStatus?: 'on' | 'off' | undefined;
  readonly oldWaf: readonly LegacyWafPackage[];
  readonly overrides: readonly WafOverride[];
  readonly firewallRules: readonly FirewallRule[] | null;
  readonly pageRules: readonly PageRule[] | null;
}

export const settingsOfApi = (answers: LegacyAnswers): LegacySettings => ({
  zoneId: answers.zoneId,
  // the switch is a setting only if it is off; if its status is unknown, it is assumed to be on
  wafSwitch:
    answers.oldWafStatus === 'off' ? { from: 'waf_migration/status', value: 'off' } : undefined,
  ...settingsOfPackages(answers.oldWaf),
  overrides: answers.overrides.map((one) =>
    readOverride({ from: `waf/overrides/${one.id}`, attributes: one }),
  ),
  firewallRules: (answers.firewallRules ?? []).map((one) =>
    readFirewallRule({ from: `firewall/rules/${one.id}`, attributes: one }, one.filter),
  ),
  pageRules: (answers.pageRules ?? []).flatMap(toPageRule),
});

function settingsOfPackages(packages: readonly LegacyWafPackage[]): LegacyPackages {
  return packageSettings({
    packages: packages.map((one) =>
      readPackage({ from: `waf/packages/${one.id}`, attributes: one }),
    ),
    groups: packages.flatMap(({ id, groups }) =>
      groups.map((group) => {
        const from = `waf/packages/${id}/groups/${group.id}`;
        return readGroup({ from, attributes: { ...group, package_id: id } });
      }),
    ),
    rules: packages.flatMap(({ id, rules }) =>
      rules.map((rule) => {
        const from = `waf/packages/${id}/rules/${rule.id}`;
        const group = objectOf(rule['group']);
        const more = { package_id: id, group_id: group['id'], group_name: group['name'] };
        return readRule({ from, attributes: { ...rule, ...more } });
      }),
    ),
  });
}

/** Includes page rules that do not concern the WAF, because they may win over one that does. */
function toPageRule(rule: PageRule): LegacySettings['pageRules'] {
  const { id, status, priority, targets, actions } = rule;
  const [target] = targets;
  if (target === undefined) return [];
  const waf = actions.find((action) => action.id === 'waf')?.value;
  return [
    {
      from: `pagerules/${id}`,
      id,
      target,
      priority,
      active: status === 'active',
      disableSecurity: actions.some((action) => action.id === 'disable_security'),
      waf: waf === undefined || typeof waf === 'string' ? waf : JSON.stringify(waf),
    },
  ];
}
