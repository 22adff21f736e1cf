import { runTerraform, type TerraformOptions } from './run-terraform';

/**
 * `terraform state push`: replaces the state of the configured backend, if the lineage is the same
 * and the serial higher; never with `-force`.
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePush(file: string, options: TerraformOptions): Promise<void> {
  await runTerraform(['state', 'push', '-lock-timeout=60s', file], options);
}
