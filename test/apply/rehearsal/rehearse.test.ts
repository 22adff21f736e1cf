import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rehearse } from '../../../src/apply/rehearsal/rehearse';
import { type Plan } from '../../../src/plan/plan';
import { stateText } from '../../support/applied-folder';
import { failureOf } from '../../support/client-under-test';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const WORKSPACES = 'cf-waf-migrate-rehearsal.tfstate.d';

it('a rehearsal that the user stops says that it was interrupted, and blames no file', async () => {
  const stop = new AbortController();
  const terraform = {
    binary: fakeTerraform(temporaryFolder(), 'exec sleep 60').path,
    environment: { PATH: process.env['PATH'] },
    signal: stop.signal,
    hold: () => {
      setTimeout(() => {
        stop.abort();
      }, 100);
    },
  };
  const [plan, folder] = [removalPlan('c'.repeat(64)), temporaryFolder()];
  const rehearsal = rehearse({ plan, folder, terraform, report: () => undefined });
  await expect(rehearsal).rejects.toMatchObject({
    message: 'the rehearsal was interrupted',
    hint: expect.stringContaining('run the same command again'),
  });
});

it.each([
  ['init*', 'init -reconfigure'],
  ['state\\ rm', 'state rm'],
])(
  'a rehearsal whose Terraform is killed at `%s` says so, and blames no file',
  async (at, command) => {
    const folder = temporaryFolder();
    const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
    const instances = [{ schema_version: 0, attributes: { id: 'x' } }];
    const old = { mode: 'managed', type: 'cloudflare_waf_rule', name: 'a', provider, instances };
    writeFileSync(join(folder, 'state.json'), stateText(1, [old]));
    const backend = '{"backend":{"config":{"path":null,"workspace_dir":"%s"}}}';
    const body = `case "$1 $2" in
    ${at}) kill -9 $$ ;;
    'state pull') cat ${folder}/state.json ;;
    init*) mkdir -p .terraform; printf '${backend}' ${WORKSPACES} > .terraform/terraform.tfstate ;;
  esac`;
    const terraform = {
      binary: fakeTerraform(temporaryFolder(), body).path,
      environment: { PATH: process.env['PATH'] },
    };
    const plan = removalPlan('c'.repeat(64));
    const error = await failureOf(rehearse({ plan, folder, terraform, report: () => undefined }));
    expect(error.message).toContain(`${command} was killed`);
    expect(error.hint).toMatch(/^check what ended it.* again to resume$/);
  },
);

it('a provider that is not installed ends the rehearsal: the steps from there on are not rehearsed', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  const provider = 'provider "registry.terraform.io/cloudflare/cloudflare"';
  write('.terraform.lock.hcl', `${provider} {\n  version = "4.52.8"\n}\n`);
  write('state.json', stateText(1, []));
  const backend = '{"backend":{"config":{"path":null,"workspace_dir":"%s"}}}';
  const body = `case "$1 $2" in
    'state pull') cat state.json ;;
    init*) mkdir -p .terraform; printf '${backend}' ${WORKSPACES} > .terraform/terraform.tfstate ;;
  esac`;
  const upgrade = (id: string, version: string) => ({
    ...{ id, kind: 'upgrade-provider', state: 'main', title: '', provider: version },
    runs: [{ argv: ['terraform', 'init', '-upgrade', '-input=false'] }],
  });
  const base = removalPlan('c'.repeat(64));
  const provider5 = { from: '3.35.0', to: '5.22.0' };
  const states = base.states.map((state) => ({ ...state, provider: provider5 }));
  const steps = [...base.steps.slice(0, 1), upgrade('2', '5.22.0')];
  const result = await rehearse({
    plan: { ...base, states, steps } as unknown as Plan,
    folder,
    terraform: {
      binary: fakeTerraform(temporaryFolder(), body).path,
      environment: { PATH: process.env['PATH'] },
    },
    report: () => undefined,
  });
  expect(result).toMatchObject({ verdict: 'dirty', notRehearsed: ['2'] });
  expect(result.steps.map(({ status }) => status)).toEqual(['done', 'waiting']);
});
