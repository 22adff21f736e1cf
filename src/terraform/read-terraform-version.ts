import { type TerraformVersion } from '../core/provider-majors';
import { runTerraform, type TerraformOptions } from './run-terraform';

/**
 * `terraform version`, by the line that says it: the JSON of OpenTofu does not say that it is OpenTofu.
 * @returns undefined where it does not say so
 */
export async function readTerraformVersion(
  options: TerraformOptions,
): Promise<TerraformVersion | undefined> {
  const printed = await runTerraform(['version'], options).catch(() => Buffer.alloc(0));
  return parseTerraformVersion(printed.toString('utf8'));
}

/** Reads what `terraform version` or `tofu version` prints; what stands around it may say lines of its own. */
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
