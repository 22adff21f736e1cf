import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../model/json';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { readJsonFile } from '../read-json-file';

/**
 * Where the states of a copy's workspaces lie. Not Terraform's own folder: what lies there it would take for
 * states that are to go to another backend.
 */
export const WORKSPACES = 'cf-waf-migrate-rehearsal.tfstate.d';

/** Of the files that override others the last counts: `~` is behind every letter. */
const FILE = '~~cf_waf_migrate_rehearsal_override.tf.json';

/** Gives a copy a local backend, whatever backend its configuration has. */
export function writeLocalBackend(dir: string): void {
  const backend = { local: { workspace_dir: WORKSPACES } };
  writeFileSync(join(dir, FILE), JSON.stringify({ terraform: { backend } }));
}

/**
 * After `terraform init`: whether it took that backend, and no other, where the real state is.
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE`
 */
export async function requireLocalBackend(dir: string): Promise<void> {
  const initialised = await readJsonFile(join(dir, '.terraform/terraform.tfstate'));
  const backend = isJsonObject(initialised) ? initialised['backend'] : undefined;
  const config = isJsonObject(backend) ? backend['config'] : undefined;
  const isOwn = isJsonObject(config) && config['workspace_dir'] === WORKSPACES;
  if (isOwn && config['path'] === null) return;
  throw new MigrationError(
    'REHEARSAL_IMPOSSIBLE',
    `an override file of the configuration gives the copy in ${printable(dir)} another backend`,
    { hint: 'rename the override file with the backend, so that it comes earlier: override.tf' },
  );
}
