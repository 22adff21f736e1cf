import { runTerraform, type TerraformOptions } from './run-terraform';

/**
 * `terraform state pull`: the raw state of the configured backend and workspace; needs no provider.
 * @returns empty when there is no state yet
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePull(options: TerraformOptions): Promise<Buffer> {
  return runTerraform(['state', 'pull'], options);
}
