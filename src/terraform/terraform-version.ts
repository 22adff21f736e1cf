/** The program and its version. */
export interface TerraformVersion {
  readonly product: 'Terraform' | 'OpenTofu';
  readonly major: number;
  readonly minor: number;
  /** `1.11.4`. */
  readonly text: string;
}

/** Parses the output of `terraform version` or `tofu version`; wrappers may print additional lines. */
export function parseTerraformVersion(printed: string): TerraformVersion | undefined {
  const match = /^(Terraform|OpenTofu) v((\d+)\.(\d+)\.\d+\S*)/m.exec(printed);
  if (match === null) return undefined;
  const [, product, text = '', major, minor] = match;
  return {
    product: product === 'OpenTofu' ? 'OpenTofu' : 'Terraform',
    text,
    major: Number(major),
    minor: Number(minor),
  };
}

/**
 * Why a version cannot apply `removed` blocks; undefined if it can. Terraform supports them since 1.7. OpenTofu 1.12.6
 * reads a resource before it forgets it (measured).
 */
export function blocksObstacle(binary: TerraformVersion | undefined): string | undefined {
  if (binary === undefined) return undefined;
  const { product, major, minor, text } = binary;
  if (product === 'OpenTofu')
    return `${product} ${text} reads a resource before \`removed\` forgets it, and the legacy API does not answer after the migration`;
  return major > 1 || (major === 1 && minor >= 7)
    ? undefined
    : `${product} ${text} does not support \`removed\` blocks (1.7 or later does)`;
}
