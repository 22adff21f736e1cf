import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { isCloudflareProvider } from '../state/provider-address';
import { type OwnedZone } from './assign-owners';
import { type PlannedState } from './planned-state';

/** The provider configuration that the ruleset of a zone needs. */
export interface BoundProvider {
  /** `cloudflare.prod`: what the `provider` argument says; undefined where none is needed. */
  readonly reference: string | undefined;
  /** Whether the old resources say so: all of them have one, and the root module can refer to it. */
  readonly isTold: boolean;
}

/** Tells it by the old resources of the zone, which are of the account that has the ruleset. */
export function boundProvider(
  { oldResources, configuration }: PlannedState,
  zoneId: string,
): BoundProvider {
  const own = oldResources.filter((one) => one.zoneId === zoneId && one.mode === 'managed');
  const bound = new Map(
    own.flatMap(({ provider }) => (provider === undefined ? [] : [[provider.text, provider]])),
  );
  const [one, another] = bound.values();
  const root = configuration?.project.rootModule;
  const local = root?.requirements.find(isCloudflare)?.name;
  const name = local ?? 'cloudflare';
  const isTold = another === undefined && (one?.module ?? '') === '';
  // one that is gone helps nobody (orphaned-provider.ts)
  const isThere = root?.providers.some(({ alias }) => alias === one?.alias) ?? true;
  const alias = isTold && isThere ? one?.alias : undefined;
  const reference = [name, ...(alias === undefined ? [] : [alias])].join('.');
  return { reference: reference === 'cloudflare' ? undefined : reference, isTold };
}

/** What a person has to see to, where a ruleset is to be declared. */
export function providerFindings(state: PlannedState, zone: OwnedZone): Finding[] {
  const { imported, zoneId, address, declaration } = zone;
  if (imported || state.declared.some((one) => one.address === address)) return [];
  const { reference, isTold } = boundProvider(state, zoneId);
  const findings: Finding[] = [];
  const remedy =
    'give the ruleset the `provider` argument that its account needs, where that is not the default';
  if (!isTold) {
    findings.push({
      code: 'PROVIDER_NOT_TOLD',
      severity: 'info',
      subject: address,
      message: `the old resources of zone ${zoneId} are bound to several provider configurations, or to one of a module: the ruleset is declared with the default one`,
      remedy,
    });
  }
  if (reference !== undefined && declaration === undefined) {
    findings.push({
      code: 'PROVIDER_NOT_DEFAULT',
      severity: 'decision',
      subject: address,
      message: `the old resources of zone ${zoneId} are bound to ${printable(reference, 200)}: declared without it, the ruleset has other credentials`,
      remedy,
    });
  }
  if (lacksRequirement(state)) {
    findings.push({
      code: 'PROVIDER_NOT_REQUIRED',
      severity: 'decision',
      subject: address,
      message:
        'modules require cloudflare/cloudflare and the root does not: for the ruleset Terraform would look for hashicorp/cloudflare there',
      remedy: 'add cloudflare/cloudflare to required_providers of the root module',
    });
  }
  return findings;
}

/** A requirement holds for its own module alone. */
function lacksRequirement({ configuration }: PlannedState): boolean {
  if (configuration === undefined) return false;
  const { modules, root } = configuration.project;
  const requires = [...modules.values()].filter(({ requirements }) =>
    requirements.some(isCloudflare),
  );
  return requires.length > 0 && !requires.some(({ dir }) => dir === root);
}

function isCloudflare({ source }: { readonly source: string | undefined }): boolean {
  return source !== undefined && isCloudflareProvider({ source });
}
