import { findOldWafType } from './old-waf-types';
import { isCloudflareProvider, parseProviderAddress } from './provider-address';
import { type ResourceMode, type State } from './state';

/** How many instances a state holds of one type. */
export interface TypeCount {
  readonly mode: ResourceMode;
  readonly type: string;
  readonly count: number;
}

function isCloudflare(provider: string): boolean {
  const address = parseProviderAddress(provider);
  return address !== undefined && isCloudflareProvider(address);
}

/**
 * What a state holds of Cloudflare's provider besides the previous WAF managed rules: what a
 * change of the provider's major would concern, too. By type, resources before data sources.
 */
export function otherCloudflareResources(state: State): readonly TypeCount[] {
  const types = new Map<string, TypeCount>();
  for (const { mode, type, provider, count } of state.counts) {
    if (findOldWafType(mode, type) !== undefined || !isCloudflare(provider)) continue;
    const key = `${mode === 'data' ? '1' : '0'}${type}`;
    types.set(key, { mode, type, count: count + (types.get(key)?.count ?? 0) });
  }
  return [...types].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
