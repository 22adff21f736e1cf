import { listedMajors, type ProviderFacts, providerMajors } from '../../core/provider-majors';
import { type ConfigProject } from '../../tfconfig/config';
import { type LegacyResource } from '../../tfstate/parse-state';
import { type OwnedRuleset, type StateFacts } from './facts';
import { knowsLegacyWaf, majorOf, versionsOf } from './provider-versions';

/** The majors without the legacy WAF, in words. */
export const WITHOUT_LEGACY = listedMajors((major) => !providerMajors[major].knowsLegacyWaf);

/**
 * Why all legacy resources leave a state together, before an import: no plan works while one of them is left. Rows of
 * the table that chooses the order (choose-order.ts).
 */
export const reasonsToRemoveAll = [
  {
    when: 'The installed provider is unknown',
    holds: ({ installed }: StateFacts): boolean => installed === undefined,
    because:
      'the installed provider is unknown, and assumed to be {from} (pass --from with the version that .terraform.lock.hcl selects): removing first works with every version',
  },
  {
    when: 'Rulesets of the state are imported again',
    holds: (state: StateFacts): boolean => rulesetsToImportAgain(state).length > 0,
    because:
      'provider {to} may not read the rulesets of this state, which an earlier one wrote: they are removed and imported again',
  },
  {
    when: `Provider ${WITHOUT_LEGACY} is installed, or is the target`,
    holds: (state: StateFacts): boolean =>
      Object.values(versionsOf(state)).some((one) => !knowsLegacyWaf(one)),
    because: 'provider {to} cannot plan while legacy resources are in the state',
  },
  {
    when: 'A provider configuration of legacy resources is gone',
    holds: (state: StateFacts): boolean => orphanedProviders(state).length > 0,
    because:
      'the configuration of {orphan} is gone, and terraform import needs it for the resources that use it',
  },
] as const;

export const mustRemoveAll = (state: StateFacts): boolean =>
  reasonsToRemoveAll.some(({ holds }) => holds(state));

/** Returns all rulesets if the major version rises, otherwise those that the provider cannot read. */
export function rulesetsToImportAgain(state: StateFacts): readonly OwnedRuleset[] {
  const { rulesets } = state;
  const { from, to } = versionsOf(state);
  return majorOf(to) > majorOf(from) ? rulesets : unreadableRulesets(state);
}

/** The rulesets of a state that the provider cannot read. */
export function unreadableRulesets(state: StateFacts): readonly OwnedRuleset[] {
  const { reads }: ProviderFacts = providerMajors[majorOf(versionsOf(state).to)];
  return state.rulesets.filter(({ written }) => written && reads?.(written) === false);
}

/**
 * The missing provider configurations that legacy resources use. Terraform fails with "Provider configuration not
 * present" (measured).
 */
export function orphanedProviders({ configuration, legacyResources }: StateFacts): string[] {
  if (configuration === undefined) return [];
  const orphans = legacyResources.flatMap(({ provider, mode }) =>
    mode === 'data' || isConfigured(configuration.project, provider) ? [] : provider.text,
  );
  return [...new Set(orphans)];
}

function isConfigured(
  { paths }: ConfigProject,
  { module, alias }: LegacyResource['provider'],
): boolean {
  // the root module has a default configuration even if no block declares it
  if (module === '' && alias === undefined) return true;
  const providers = paths.get(module)?.module.providers ?? [];
  return providers.some((one) => one.alias === alias);
}
