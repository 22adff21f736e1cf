import { isCloudflareProvider } from '../tfstate/provider-address';
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
  const local = root?.requirements.find(
    ({ source }) => source !== undefined && isCloudflareProvider({ source }),
  )?.name;
  const isTold = another === undefined && (one?.module ?? '') === '';
  // one that is gone helps nobody (order.ts)
  const isThere = root?.providers.some(({ alias }) => alias === one?.alias) ?? true;
  const alias = isTold && isThere ? one?.alias : undefined;
  const reference = [local ?? 'cloudflare', ...(alias === undefined ? [] : [alias])].join('.');
  return reference === 'cloudflare' ? undefined : reference;
}
