import { type ProviderMajor, providerMajors } from '../model/provider-majors';
import { oldDataSources, oldResourceBlocks } from './old-data-sources';
import { orphanedProviders } from './orphaned-provider';
import { type PlannedState } from './planned-state';
import { majorOf } from './provider-version';

/** One thing that keeps Terraform from planning: what it is, and why (measured, 3.35 to 5.22). */
export interface Blockage {
  readonly what: string;
  readonly why: string;
}

/** What keeps Terraform from planning over a state; empty where nothing of this migration does. */
export function blockedBy(state: PlannedState): Blockage[] {
  const { oldResources, installed, configuration, rulesets } = state;
  const managed = oldResources.filter(({ mode }) => mode === 'managed');
  const declared = configuration === undefined ? 0 : oldDataSources(configuration);
  const major = installed === undefined ? undefined : majorOf(installed);
  const facts = major === undefined ? undefined : providerMajors[major];
  const firewallRules = installed === undefined ? [] : blockingFirewallRules(state, installed);
  const earlier = major === 5 ? rulesets.filter(({ precedesFive }) => precedesFive) : [];
  // provider 3 takes them for resources to create, and asks nobody before that
  const unknown =
    configuration === undefined || managed.length > 0 || facts?.knowsOldWaf !== false
      ? []
      : oldResourceBlocks(configuration);
  return [
    ...(unknown.length === 0
      ? []
      : [
          {
            what: `${unknown.length} old resources that are declared, and not in the state`,
            why: `provider ${major} does not know their types`,
          },
        ]),
    ...(managed.length === 0 ? [] : [{ what: typesOf(managed), why: whyOld(major) }]),
    ...(declared === 0
      ? []
      : [
          { what: `${declared} old data sources`, why: 'every plan reads them, and they are gone' },
        ]),
    ...(firewallRules.length === 0
      ? []
      : [{ what: listed(firewallRules), why: `provider ${major} cannot read their entries` }]),
    ...(earlier.length === 0
      ? []
      : [
          {
            what: listed(earlier),
            why: 'provider 3 or 4 wrote them, which not every provider 5 can read',
          },
        ]),
    ...[...orphanedProviders(state)].map(([provider, addresses]) => ({
      what: `${addresses.length} resources bound to ${provider}`,
      why: 'the configuration no longer has that provider configuration',
    })),
  ];
}

/** Firewall rules whose entries a version of the provider cannot read; it reads filters (measured). */
export function blockingFirewallRules(
  { retired }: PlannedState,
  version: string,
): PlannedState['retired'] {
  return providerMajors[majorOf(version)].plansFirewallRules
    ? []
    : retired.filter(({ type }) => type === 'cloudflare_firewall_rule');
}

function whyOld(major: ProviderMajor | undefined): string {
  if (major === undefined)
    return 'provider 4 and later have no schema for them, and 3 asks interfaces that answer no more once a zone has migrated';
  return providerMajors[major].knowsOldWaf
    ? 'a plan reads them from interfaces that answer no more once their zone has migrated'
    : `provider ${major} has no schema for them`;
}

function typesOf(resources: readonly { readonly type: string }[]): string {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${type} (${count})`).join(', ');
}

function listed(resources: readonly { readonly address: string }[]): string {
  const more = resources.length > 8 ? ` and ${resources.length - 8} more` : '';
  const shown = resources.slice(0, 8).map(({ address }) => address);
  return shown.join(', ') + more;
}
