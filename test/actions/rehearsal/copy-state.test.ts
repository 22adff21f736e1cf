import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CopiedProviders } from '../../../src/actions/rehearsal/copied-providers';
import { copyState } from '../../../src/actions/rehearsal/copy-state';
import { type ApplyRequest } from '../../../src/actions/apply/apply-request';
import { type PlanState } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { temporaryFolder } from '../../support/temporary-folder';

it('nothing is written where the folder of a copy leads out of it', async () => {
  const [root, original] = [temporaryFolder(), temporaryFolder()];
  const { searchPath } = fakeTerraform(temporaryFolder(), 'exit 0');
  mkdirSync(join(root, 'tree'));
  symlinkSync(original, join(root, 'tree/waf'));
  const terraform = { binary: 'terraform', environment: { PATH: searchPath } };
  const folder = join(root, 'tree');
  const request = { folder, terraform } as unknown as ApplyRequest;
  const state = { dir: 'waf', workspace: 'default' } as PlanState;
  const providers = new CopiedProviders(join(root, 'providers'));
  const copying = copyState(state, request, { root, folder, terraform, providers });
  await expect(copying).rejects.toMatchObject({ code: 'REHEARSAL_IMPOSSIBLE' });
  expect(readdirSync(original)).toEqual([]);
});
