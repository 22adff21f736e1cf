import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApplyContext, type AcceptedChange } from '../../src/apply/apply-context';
import { type JournalEntry } from '../../src/apply/journal/journal';
import { manualStep } from '../../src/apply/steps/manual';
import { stepExecutors } from '../../src/apply/steps/step-executors';
import { type Step } from '../../src/plan/plan';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

const OLD = 'cloudflare_waf_rule.a';
const RULESET = 'cloudflare_ruleset.managed_rules';

interface Change {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly importing?: object };
}
const forget = (address: string): Change => ({ address, change: { actions: ['forget'] } });
const take = (address: string): Change => ({
  address,
  change: { actions: ['no-op'], importing: { id: 'x' } },
});

/** Runs a step that forgets one resource and imports one, where Terraform plans these changes. */
function blocks(
  changes: readonly Change[],
  flags: readonly string[] = [],
  drifted: readonly Change[] = [],
  { outputs = {}, accept = [] }: { outputs?: object; accept?: readonly string[] } = {},
) {
  const shown = JSON.stringify({
    ...{
      format_version: '1.2',
      terraform_version: '1.11.4',
      planned_values: {},
      configuration: {},
    },
    resource_changes: changes,
    resource_drift: drifted,
    output_changes: outputs,
  });
  const body = `case $1 in plan) exit 2 ;; show) echo '${shown}' ;; esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const noted: JournalEntry[] = [];
  const accepted: AcceptedChange[] = [];
  const context = {
    plan: { states: [{ name: 'main', dir: '.' }], steps: [] },
    live: new Map([['main', { addresses: new Set([OLD]) }]]),
    folder: temporaryFolder(),
    terraform: { binary: fake.path, environment: { PATH: process.env['PATH'] } },
    journal: { append: (line: JournalEntry) => noted.push(line) },
    fault: () => undefined,
    ...{ accept, accepted },
  } as unknown as ApplyContext;
  const step = {
    ...{ id: '1', kind: 'apply-blocks', state: 'main' },
    runs: [{ argv: ['terraform', 'plan', '-input=false', ...flags, '-out=x'] }],
    expects: { gone: [OLD], present: [RULESET], plan: 'import-and-forget' },
  } as unknown as Step;
  return {
    noted,
    accepted,
    run: () => stepExecutors['apply-blocks'].run!(step, context),
    applied: () => fake.calls().filter(([word]) => word === 'apply'),
  };
}

describe('what is applied of blocks', () => {
  it('is a saved plan that imports and forgets what the step expects', async () => {
    const { run, applied } = blocks([forget(OLD), take(RULESET)]);
    await run();
    expect(applied()).toHaveLength(1);
  });

  it('is noted with the entries that Terraform writes as the service has them by now', async () => {
    const web = { address: 'aws_instance.web', change: { actions: ['update'] } };
    const { run, noted } = blocks([forget(OLD)], [], [web]);
    await run();
    expect(noted).toEqual([{ event: 'drifted', state: 'main', addresses: [web.address] }]);
  });

  it('may change an output that was named, and no resource that was', async () => {
    const outputs = { o: { actions: ['delete'], before: 'x', after: null } };
    const named = { outputs, accept: ['output.o'] };
    const { run, applied, accepted } = blocks([forget(OLD)], [], [], named);
    await run();
    expect(applied()).toHaveLength(1);
    expect(accepted).toMatchObject([{ address: 'output.o', by: ['output.o'] }]);

    const silent = blocks([forget(OLD)], [], [], { outputs });
    await expect(silent.run()).rejects.toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      message: 'Terraform would change something: output.o (delete)',
      hint: expect.stringContaining('pass --accept output.o'),
    });
    const web = { address: 'aws_instance.web', change: { actions: ['update'] } };
    const resource = blocks([web], [], [], { accept: ['aws_instance.web'] });
    await expect(resource.run()).rejects.toMatchObject({ code: 'PLAN_NOT_EMPTY' });
    expect([silent.applied(), resource.applied()]).toEqual([[], []]);
  });

  it.each([
    ['forgets', 'aws_instance.web (forget)', forget('aws_instance.web')],
    ['imports', 'aws_instance.web (import)', take('aws_instance.web')],
    ['forgets what is to be imported', `${RULESET} (forget)`, forget(RULESET)],
  ])('is nothing where Terraform %s also what another block asks for', async (_, said, one) => {
    const { run, applied } = blocks([forget(OLD), one]);
    await expect(run()).rejects.toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      message: expect.stringContaining(said),
      hint: expect.stringContaining('another block is pending'),
    });
    expect(applied()).toEqual([]);
  });

  it.each([
    ['a minute', [], '-lock-timeout=60s'],
    ['as long as the user says', ['-lock-timeout=5s', '-var=a=b'], '-lock-timeout=5s'],
  ])('waits for the lock of another process: %s', async (_, flags, waiting) => {
    const { run, applied } = blocks([forget(OLD)], flags);
    await run();
    expect(applied()).toEqual([['apply', '-input=false', waiting, expect.stringMatching(/plan$/)]]);
  });
});

const OLD_BLOCK = 'resource "cloudflare_waf_rule" "r" {}\n';
const CALL = 'module "old" {\n  source = "git::https://example.com/waf.git?ref=v1"\n}\n';

/** A folder below that of the plan that calls a module of git, and a step that takes a block of it out. */
function gitModule(environment: Record<string, string> = {}, data = 'infra/.terraform') {
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
  it('is not done while it is unknown what the module declares', async () => {
    const { isDone } = gitModule();
    expect(await isDone()).toBe(false);
  });

  it('is done when the module that Terraform installed declares it no longer', async () => {
    const { install, isDone } = gitModule();
    install(OLD_BLOCK);
    expect(await isDone()).toBe(false);
    install('output "nothing" {\n  value = 1\n}\n');
    expect(await isDone()).toBe(true);
  });

  it('reads the module where TF_DATA_DIR has it', async () => {
    const { install, isDone } = gitModule({ TF_DATA_DIR: 'data' }, 'infra/data');
    install('locals {}\n');
    expect(await isDone()).toBe(true);
  });

  it('is not done where what was installed is gone', async () => {
    const { install, isDone, folder } = gitModule();
    install('locals {}\n');
    rmSync(join(folder, 'infra/.terraform/modules/old'), { recursive: true });
    expect(await isDone()).toBe(false);
  });

  it('is done when the call is gone', async () => {
    const { write, isDone } = gitModule();
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
    const { write, isDoneOf } = gitModule();
    write('infra/cdk.tf.json', JSON.stringify({ ...stack, ...overrides }));
    expect(await isDoneOf({ addresses, code: 'stack', runs: [] })).toBe(done);
  });

  it('is not done before the overrides are there', async () => {
    const { write, isDoneOf } = gitModule();
    write('infra/cdk.tf.json', JSON.stringify({ resource: declared }));
    expect(await isDoneOf({ addresses, code: 'stack', runs: [] })).toBe(false);
  });
});

/** A step that installs a version, in a folder with this lock file. */
function upgrade(locked: string | undefined, provider: string) {
  const folder = temporaryFolder();
  if (locked !== undefined) {
    const lock = `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${locked}"\n}\n`;
    writeFileSync(join(folder, '.terraform.lock.hcl'), lock);
  }
  const context = {
    plan: { states: [{ name: 'main', dir: '.', provider: { from: '3.35.0', to: provider } }] },
    live: new Map([['main', {}]]),
    folder,
    fault: () => undefined,
  } as unknown as ApplyContext;
  const step = { id: '1', kind: 'upgrade-provider', state: 'main', provider } as unknown as Step;
  return { step, context };
}

describe('the step that installs another provider', () => {
  it.each([
    ['is not done before there is a lock file', undefined, '4.52.8', false],
    ['is not done while the earlier major is installed', '3.35.0', '4.52.8', false],
    ['is done by any version of the major', '5.28.0', '5.22.0', true],
    // the import ids of the plan are those of its major
    ['is not done by a later major', '5.22.0', '4.52.8', false],
  ])('%s', async (_, locked, provider, isDone) => {
    const { step, context } = upgrade(locked, provider);
    expect(await stepExecutors['upgrade-provider'].isDone(step, context)).toBe(isDone);
  });

  it.each([
    ['another version is installed than the constraint allows', '5.22.0'],
    ['none is installed', undefined],
  ])('waits for the user where %s', async (_, locked) => {
    const { step, context } = upgrade(locked, '4.52.8');
    expect(await stepExecutors['upgrade-provider'].run?.(step, context)).toBe('waiting');
  });
});
