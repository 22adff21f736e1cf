import { withLockTimeout } from './lock-timeout';
import { runTerraform, type TerraformOptions } from './run-terraform';

/**
 * `terraform state push`: replaces the state of the configured backend, if the lineage is the same
 * and the serial higher; never with `-force`.
 * @param flags of a plan's commands: of them it takes what says how it reaches the backend (Terraform 1.11.4)
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePush(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  const own = [...new Set(flags.filter((flag) => taken.test(flag)))];
  await runTerraform(['state', 'push', ...withLockTimeout(own), file], options);
}

const taken = /^--?(lock-timeout|ignore-remote-version)(=|$)/;
