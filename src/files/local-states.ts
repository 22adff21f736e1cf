import { resolve } from 'node:path';
import { isJsonObject, type JsonObject, objectOf, parseJson } from '../core/json';
import { textOfFile } from './read-regular-file';

/** The paths of the states of a local backend, relative to the folder of the configuration. */
export interface LocalStates {
  /** The file of the workspace `default`. */
  readonly path: string;
  /** The folder with a subfolder for each other workspace. */
  readonly workspaceDir: string;
}

/**
 * Where the local states of a folder are, as recorded by `terraform init`. Without such a record, the backend
 * is local with its defaults.
 * @param dataDir `TF_DATA_DIR`; Terraform treats an empty value as unset
 * @returns undefined if the folder uses another backend
 */
export function localStates(dir: string, dataDir: string | undefined): LocalStates | undefined {
  const record = resolve(dir, dataDir || '.terraform', 'terraform.tfstate');
  const backend = backendOf(textOfFile(record));
  if (backend !== undefined && backend['type'] !== 'local') return undefined;
  const config = objectOf(backend?.['config']);
  const configured = (name: string): string | undefined => {
    const value = config[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    path: configured('path') ?? 'terraform.tfstate',
    workspaceDir: configured('workspace_dir') ?? 'terraform.tfstate.d',
  };
}

export function stateFile(
  dir: string,
  workspace: string,
  { path, workspaceDir }: LocalStates,
): string {
  if (workspace === 'default') return resolve(dir, path);
  return resolve(dir, workspaceDir, workspace, 'terraform.tfstate');
}

function backendOf(text: string): JsonObject | undefined {
  const { backend } = objectOf(parseJson(text));
  return isJsonObject(backend) ? backend : undefined;
}
