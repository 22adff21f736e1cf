import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks that every folder still means the state that was planned for: `TF_DATA_DIR` and the workspace
 * (`TF_WORKSPACE`, else what `terraform workspace select` left) choose it. Read from where Terraform
 * reads them, so that Terraform need not be started.
 *
 * @throws MigrationError `PLACE_CHANGED`
 */
export function requirePlaces({ states }: Plan, folder: string, environment: Environment): void {
  const dataDir = environment['TF_DATA_DIR'] ?? '';
  for (const planned of states) {
    const name = `state ${printable(planned.name, 80)}`;
    if (dataDir !== (planned.dataDir ?? '')) {
      throw changed(`${name} was planned with TF_DATA_DIR`, planned.dataDir ?? '', dataDir);
    }
    const workspace = currentWorkspace(join(folder, planned.dir), environment);
    if (workspace !== planned.workspace) {
      throw changed(`${name} was planned in workspace`, planned.workspace, workspace);
    }
  }
}

function currentWorkspace(dir: string, environment: Environment): string {
  const chosen = environment['TF_WORKSPACE'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const data = environment['TF_DATA_DIR'] || '.terraform';
  const file = join(isAbsolute(data) ? data : join(dir, data), 'environment');
  try {
    return readFileSync(file, 'utf8').trim() || 'default';
  } catch {
    // no other was ever selected
    return 'default';
  }
}

function changed(what: string, planned: string, now: string): MigrationError {
  const shown = (value: string): string => `"${printable(value, 80)}"`;
  return new MigrationError(
    'PLACE_CHANGED',
    `${what} ${shown(planned)}, and it is ${shown(now)} now`,
  );
}
