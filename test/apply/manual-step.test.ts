import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApplyContext } from '../../src/apply/apply-context';
import { manualStep } from '../../src/apply/steps/manual';
import { type Step } from '../../src/plan/plan';
import { temporaryFolder } from '../support/temporary-folder';

const OLD = 'resource "cloudflare_waf_rule" "r" {}\n';
const CALL = 'module "old" {\n  source = "git::https://example.com/waf.git?ref=v1"\n}\n';

/** A folder below that of the plan that calls a module of git, and a step that takes a block of it out. */
function world(environment: Record<string, string> = {}, data = 'infra/.terraform') {
  const folder = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('infra/main.tf', CALL);
  const context = {
    plan: { states: [{ name: 'main', dir: 'infra' }] },
    live: new Map([['main', {}]]),
    folder,
    terraform: { environment },
  } as unknown as ApplyContext;
  const addresses = ['module.old.cloudflare_waf_rule.r'];
  const step = { id: '1', kind: 'manual', state: 'main', addresses } as unknown as Step;
  return {
    folder,
    write,
    /** What `terraform init` leaves. */
    install: (text: string): void => {
      const dir = join(data, 'modules/old').replace(/^infra\//, '');
      const modules = [
        { Key: '', Source: '', Dir: '.' },
        { Key: 'old', Source: 'git::…', Dir: dir },
      ];
      write(`${data}/modules/modules.json`, JSON.stringify({ Modules: modules }));
      write(`${data}/modules/old/main.tf`, text);
    },
    isDone: (): unknown => manualStep.isDone(step, context),
    isDoneOf: (other: Partial<Step>): unknown => manualStep.isDone({ ...step, ...other }, context),
  };
}

describe('a step that takes a block out of a module of git', () => {
  it('is not done while nobody knows what the module declares', async () => {
    const { isDone } = world();
    expect(await isDone()).toBe(false);
  });

  it('is done when the module that Terraform installed declares it no longer', async () => {
    const { install, isDone } = world();
    install(OLD);
    expect(await isDone()).toBe(false);
    install('output "nothing" {\n  value = 1\n}\n');
    expect(await isDone()).toBe(true);
  });

  it('reads the module where TF_DATA_DIR has it', async () => {
    const { install, isDone } = world({ TF_DATA_DIR: 'data' }, 'infra/data');
    install('locals {}\n');
    expect(await isDone()).toBe(true);
  });

  it('is not done where what was installed is gone', async () => {
    const { install, isDone, folder } = world();
    install('locals {}\n');
    rmSync(join(folder, 'infra/.terraform/modules/old'), { recursive: true });
    expect(await isDone()).toBe(false);
  });

  it('is done when the call is gone', async () => {
    const { write, isDone } = world();
    write('infra/main.tf', 'locals {}\n');
    expect(await isDone()).toBe(true);
  });
});

describe('a step that changes a CDKTF stack in one go', () => {
  const [owasp, ruleset] = ['cloudflare_waf_package.owasp', 'cloudflare_ruleset.waf["a b"]'];
  const construct = { owasp: { '//': { metadata: { path: 'edge/owasp' } } } };
  const old = { cloudflare_waf_package: construct };
  const declared = { cloudflare_ruleset: { waf: {} } };
  const overrides = { import: [{ to: ruleset, id: 'x' }], removed: [{ from: owasp }] };
  const addresses = ['edge/owasp', `import ${ruleset}`, `removed ${owasp}`];

  it.each([
    ['is not done while an old construct is there', { resource: { ...old, ...declared } }, false],
    ['is not done before the ruleset is declared', {}, false],
    ['is done when Terraform takes the overrides', { resource: declared }, true],
  ])('%s', async (_, stack, done) => {
    const { write, isDoneOf } = world();
    write('infra/cdk.tf.json', JSON.stringify({ ...stack, ...overrides }));
    expect(await isDoneOf({ addresses, code: 'stack', runs: [] })).toBe(done);
  });

  it('is not done before the overrides are there', async () => {
    const { write, isDoneOf } = world();
    write('infra/cdk.tf.json', JSON.stringify({ resource: declared }));
    expect(await isDoneOf({ addresses, code: 'stack', runs: [] })).toBe(false);
  });
});
