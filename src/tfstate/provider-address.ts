/** The provider configuration of a resource in a state. */
export interface ProviderAddress {
  /** As written in the state. */
  readonly text: string;
  /** The module in the configuration: empty at the root, otherwise `module.a`, without instance keys. */
  readonly module: string;
  /** `registry.terraform.io/cloudflare/cloudflare`; only the name in states of Terraform 0.12. */
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

/** Parses the address of a provider configuration; returns undefined if it is invalid. */
export function parseProviderAddress(text: string): ProviderAddress | undefined {
  for (const pattern of patterns) {
    const [, module = '', source, alias] = pattern.exec(text) ?? [];
    if (source !== undefined) return { text, module, source, alias };
  }
  return undefined;
}

/**
 * Whether it is the Cloudflare provider, from any registry or mirror. Terraform writes the namespace `-` for
 * a provider of 0.12 whose source is unknown.
 */
export function isCloudflareProvider({ source }: Pick<ProviderAddress, 'source'>): boolean {
  const [type, namespace] = source.toLowerCase().split('/').reverse();
  return type === 'cloudflare' && ['cloudflare', '-', undefined].includes(namespace);
}
