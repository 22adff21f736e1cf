import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { configNames } from './config-names';
import { realPlace } from '../files/real-place';

/**
 * Refuses a folder whose configuration is a copy that Terragrunt creates again at each run, or is elsewhere.
 * @param dir absolute
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function refuseTerragrunt(dir: string): Promise<void> {
  const parts = (await realPlace(dir)).split(sep);
  const cache = parts.indexOf('.terragrunt-cache');
  const unit = cache === -1 ? dir : parts.slice(0, cache).join(sep);
  const isUnit =
    existsSync(join(unit, 'terragrunt.hcl')) && ((await configNames(dir)) ?? []).length === 0;
  if (cache === -1 && !isUnit) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    cache === -1
      ? `${printable(dir, 300)} is a Terragrunt unit: it holds no Terraform configuration`
      : `${printable(dir, 300)} is inside a Terragrunt cache: Terragrunt overwrites what is edited there`,
    {
      hint: `edit the source that ${printable(unit, 300)}/terragrunt.hcl names; for its state run \`terragrunt state pull > state.json\` in ${printable(unit, 300)}, then plan with --state state.json`,
    },
  );
}
