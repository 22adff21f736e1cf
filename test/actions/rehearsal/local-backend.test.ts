import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOverrideFile } from '../../../src/blocks/config-source';
import {
  requireLocalBackend,
  WORKSPACES,
  writeLocalBackend,
} from '../../../src/actions/rehearsal/local-backend';
import { temporaryFolder } from '../../support/temporary-folder';

const config = { path: null, workspace_dir: WORKSPACES };

/** Judges a folder that `terraform init` gave a backend. */
async function judge(backend: object): Promise<void> {
  const dir = temporaryFolder();
  mkdirSync(join(dir, '.terraform'));
  writeFileSync(join(dir, '.terraform/terraform.tfstate'), JSON.stringify({ backend }));
  await requireLocalBackend(dir);
}

it('the backend of a copy overrides that of its configuration', () => {
  const dir = temporaryFolder();
  writeLocalBackend(dir);
  expect(readdirSync(dir).map(isOverrideFile)).toEqual([true]);
});

it('a copy may have that backend alone, and no other local one', async () => {
  await expect(judge({ type: 'local', config })).resolves.toBeUndefined();
  for (const backend of [
    { type: 'http', config: { address: 'https://state.example.com' } },
    { type: 'local', config: { ...config, path: '/states/real.tfstate' } },
    { type: 'local', config: { ...config, workspace_dir: '/states' } },
  ])
    await expect(judge(backend)).rejects.toMatchObject({ code: 'REHEARSAL_IMPOSSIBLE' });
});
