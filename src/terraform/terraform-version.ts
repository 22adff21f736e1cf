/** The program and its version. */
export interface TerraformVersion {
  readonly product: 'Terraform' | 'OpenTofu';
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** `1.11.4`. */
  readonly text: string;
}

/** Parses the output of `terraform version` or `tofu version`; wrappers may print additional lines. */
export function parseTerraformVersion(printed: string): TerraformVersion | undefined {
  const match = /^(Terraform|OpenTofu) v((\d+)\.(\d+)\.(\d+)\S*)/m.exec(printed);
  if (match === null) return undefined;
  const [, product, text = '', major, minor, patch] = match;
  return {
    product: product === 'OpenTofu' ? 'OpenTofu' : 'Terraform',
    text,
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
  };
}

/** Why a version cannot apply `removed` blocks of the legacy WAF; undefined if it can. */
export function blocksObstacle(binary: TerraformVersion | undefined): string | undefined {
  if (binary === undefined) return undefined;
  const { product, major, minor, patch, text } = binary;
  // OpenTofu 1.12.6 (measured) and Terraform before 1.9.3 read a resource before they forget it
  const isLater = major > 1 || (major === 1 && (minor > 9 || (minor === 9 && patch >= 3)));
  return product === 'Terraform' && isLater
    ? undefined
    : `${product} ${text} cannot remove resources with \`removed\` blocks without reading them from the legacy API, which is gone after the migration (Terraform 1.9.3 or later can)`;
}
