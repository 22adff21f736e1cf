import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { copyState } from '../../../src/apply/rehearsal/copy-state';
import { type ApplyRequest } from '../../../src/apply/apply-context';
import { type PlanState } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { temporaryFolder } from '../../support/temporary-folder';

const WORKSPACES = 'cf-waf-migrate-rehearsal.tfstate.d';

it('nothing is written where the folder of a copy leads out of it', async () => {
  const [root, original] = [temporaryFolder(), temporaryFolder()];
  const { searchPath } = fakeTerraform(temporaryFolder(), 'exit 0');
  mkdirSync(join(root, 'tree'));
  symlinkSync(original, join(root, 'tree/waf'));
  const terraform = { binary: 'terraform', environment: { PATH: searchPath } };
  const folder = join(root, 'tree');
  const request = { plan: { steps: [] }, folder, terraform } as unknown as ApplyRequest;
  const state = { dir: 'waf', workspace: 'default' } as PlanState;
  const copying = copyState(state, request, { root, folder, terraform });
  await expect(copying).rejects.toMatchObject({ code: 'REHEARSAL_IMPOSSIBLE' });
  expect(readdirSync(original)).toEqual([]);
});

describe('a copy where init fails, since the version constraint is that of another provider', () => {
  const copying = async (kind: string) => {
    const [root, folder] = [temporaryFolder(), temporaryFolder()];
    const backend = '{"backend":{"config":{"path":null,"workspace_dir":"%s"}}}';
    const fake = fakeTerraform(
      temporaryFolder(),
      `[ "$1" = init ] || exit 0
      mkdir -p .terraform && printf '${backend}' ${WORKSPACES} > .terraform/terraform.tfstate
      [ "$4" = -upgrade ]`,
    );
    const copy = join(root, 'tree');
    mkdirSync(copy);
    const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
    const plan = { steps: [{ kind, state: 'main' }] };
    const request = { plan, folder, terraform } as unknown as ApplyRequest;
    const state = { name: 'main', dir: '.', workspace: 'default' } as PlanState;
    return copyState(state, request, { root, folder: copy, terraform });
  };

  it('has the provider that the plan is to install', async () => {
    await expect(copying('upgrade-provider')).resolves.toBeUndefined();
  });

  it('is none where the plan installs no other', async () => {
    await expect(copying('check')).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
  });
});

it.each([
  ['another backend', { type: 'http', config: { address: 'https://state.example.com' } }],
  ['another file', { config: { path: '/states/real.tfstate', workspace_dir: WORKSPACES } }],
  ['another folder', { config: { path: null, workspace_dir: '/states' } }],
])('a copy that `terraform init` gave %s is refused', async (_name, backend) => {
  const [root, folder] = [temporaryFolder(), temporaryFolder()];
  const fake = fakeTerraform(
    temporaryFolder(),
    `[ "$1" = init ] || exit 0
    mkdir -p .terraform && printf '%s' '${JSON.stringify({ backend })}' > .terraform/terraform.tfstate`,
  );
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  const request = { plan: { steps: [] }, folder, terraform } as unknown as ApplyRequest;
  const state = { name: 'main', dir: '.', workspace: 'default' } as PlanState;
  const copying = copyState(state, request, { root, folder: root, terraform });
  await expect(copying).rejects.toMatchObject({ code: 'REHEARSAL_IMPOSSIBLE' });
});
