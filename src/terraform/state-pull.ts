import { runTerraform, type TerraformOptions } from './run-terraform';

/** How many states are pulled at a time: each is a process, and some make a machine run out of memory. */
export const PULLS_AT_ONCE = 4;

/**
 * `terraform state pull`: the raw state of the configured backend and workspace; needs no provider.
 * @returns empty when there is no state yet
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePull(options: TerraformOptions): Promise<Buffer> {
  return runTerraform(['state', 'pull'], options);
}
