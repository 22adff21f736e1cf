import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { isCloudflareProvider } from '../state/provider-address';
import { type OwnedZone } from './assign-owners';
import { type PlannedState } from './planned-state';

/**
 * The provider configuration that the ruleset of a zone needs, as the `provider` argument says it (`cloudflare.prod`):
 * that of the legacy resources of the zone, where all have the same one, of the root module. Undefined for the default.
 */
export function boundProvider(
  { oldResources, configuration }: PlannedState,
  zoneId: string,
): string | undefined {
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
  return reference === 'cloudflare' ? undefined : reference;
}

/** What a person has to see to, where a ruleset is to be declared. */
export function providerFindings(state: PlannedState, zone: OwnedZone): Finding[] {
  const { imported, zoneId, address, declaration } = zone;
  if (imported || state.declared.some((one) => one.address === address)) return [];
  const reference = boundProvider(state, zoneId);
  if (reference === undefined || declaration !== undefined) return [];
  return [
    {
      code: 'PROVIDER_NOT_DEFAULT',
      severity: 'decision',
      subject: address,
      message: `the old resources of zone ${zoneId} are bound to ${printable(reference, 200)}: declared without it, the ruleset has other credentials`,
      remedy:
        'give the ruleset the `provider` argument that its account needs, where that is not the default',
    },
  ];
}

function isCloudflare({ source }: { readonly source: string | undefined }): boolean {
  return source !== undefined && isCloudflareProvider({ source });
}
