import { rememberLast } from '../core/resource-address';

/** A provider configuration, as a resource in a state is bound to one. */
export interface ProviderAddress {
  /** As it is written in the state. */
  readonly text: string;
  /** The module of the configuration: empty at the root, else `module.a`, without instance keys. */
  readonly module: string;
  /** `registry.terraform.io/cloudflare/cloudflare`; the bare name in states of Terraform 0.12. */
  readonly source: string;
  readonly alias: string | undefined;
}

const modules = String.raw`(?:(module\.[^\s."[\]]+(?:\.module\.[^\s."[\]]+)*)\.)?`;
const alias = String.raw`(?:\.([^\s."[\]]+))?`;
const patterns = [
  new RegExp(String.raw`^${modules}provider\["([^"\\]+)"\]${alias}$`),
  // Before Terraform 0.13 a provider had no source.
  new RegExp(String.raw`^${modules}provider\.([^\s."[\]]+)${alias}$`),
];

/** Takes a provider configuration address apart; undefined when it is none. */
export const parseProviderAddress = rememberLast((text): ProviderAddress | undefined => {
  for (const pattern of patterns) {
    const [, module = '', source, alias] = pattern.exec(text) ?? [];
    if (source !== undefined) return { text, module, source, alias };
  }
  return undefined;
});

/**
 * Whether it is Cloudflare's provider, from any registry or mirror. The namespace `-` is what
 * Terraform writes for a provider of 0.12 that it could not place.
 */
export function isCloudflareProvider({ source }: Pick<ProviderAddress, 'source'>): boolean {
  const [type, namespace] = source.toLowerCase().split('/').reverse();
  return type === 'cloudflare' && ['cloudflare', '-', undefined].includes(namespace);
}
