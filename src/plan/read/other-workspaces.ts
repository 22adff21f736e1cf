import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { type OtherWorkspace } from '../planned-state';
import { parseState } from '../../tfstate/parse-state';
import { localStates, stateFile } from '../../files/local-states';
import { plannedState } from './read-state';

/**
 * The other workspaces of a folder that hold anything, where the backend is local: what other
 * backends have is not known without asking them.
 * @param dataDir `TF_DATA_DIR`, where it is set
 */
export async function otherWorkspaces(
  dir: string,
  workspace: string,
  dataDir: string | undefined,
): Promise<readonly OtherWorkspace[]> {
  const states = await localStates(dir, dataDir);
  if (states === undefined) return [];
  const names = await readdir(resolve(dir, states.workspaceDir)).catch((): string[] => []);
  const found: OtherWorkspace[] = [];
  for (const name of ['default', ...names.sort()]) {
    if (name === (workspace || 'default')) continue;
    const path = stateFile(dir, name, states);
    if (existsSync(path)) found.push(...(await readWorkspace(name, path)));
  }
  return found;
}

/** What cannot be read, as where it is encrypted or another's, is in use, and nothing else is known of it. */
async function readWorkspace(name: string, path: string): Promise<OtherWorkspace[]> {
  const unknown = { name, oldResources: [], rulesets: [] };
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return [unknown];
  if (bytes.length === 0) return [];
  try {
    const state = parseState(bytes);
    if (state.counts.length === 0) return [];
    const { oldResources, rulesets } = plannedState(state, { name, dir: '.', workspace: name }, {});
    return [{ name, oldResources: oldResources.map(({ address }) => address), rulesets }];
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return [unknown];
  }
}
