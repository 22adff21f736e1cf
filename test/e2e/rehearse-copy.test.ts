import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { applySettings, errorOf } from '../support/apply-world';
import { rehearse, takeIntoModule, verdictOf } from '../support/rehearsal';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';
import { inWorld, type World } from '../support/world';

const clean = 'clean';

describe('a rehearsal leaves the originals as they are', () => {
  it('where a file of the configuration is a link', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const shared = temporaryFolder();
      renameSync(join(lab.dir, 'main.tf'), join(shared, 'waf.tf'));
      symlinkSync(join(shared, 'waf.tf'), join(lab.dir, 'main.tf'));
      const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir, shared]);
      expect(verdictOf(run)).toEqual(clean);
    }));

  it.each([
    ['with its data in it', false],
    ['with its data elsewhere', true],
  ])('where the folder is a link, %s', (_name, isElsewhere) =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const cwd = temporaryFolder();
      symlinkSync(lab.dir, join(cwd, 'linked'));
      const data = isElsewhere ? { environment: { TF_DATA_DIR: temporaryFolder() } } : {};
      const run = await rehearse(world, { cwd, dir: 'linked', ...data }, [lab.dir, cwd]);
      expect(verdictOf(run)).toEqual(clean);
    }),
  );

  it('where the folder of a module is a link', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const shared = temporaryFolder();
      takeIntoModule(world, join(shared, 'waf'), './modules/waf');
      symlinkSync(shared, join(lab.dir, 'modules'));
      const init = await lab.terraform('init');
      expect([init.code, init.stderr]).toEqual([0, '']);
      const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir, shared]);
      expect(verdictOf(run)).toEqual(clean);
    }));

  it('where the folder is a link, and a module lies beside what it leads to', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const real = join(temporaryFolder(), 'real');
      cpSync(lab.dir, real, { recursive: true });
      mkdirSync(join(real, '../beside'));
      writeFileSync(join(real, '../beside/main.tf'), 'output "beside" {\n  value = true\n}\n');
      writeFileSync(join(real, 'calls.tf'), 'module "beside" {\n  source = "../beside"\n}\n');
      const init = await terraform(real, ['init'], lab.environment);
      expect([init.code, init.stderr]).toEqual([0, '']);
      const cwd = temporaryFolder();
      symlinkSync(real, join(cwd, 'linked'));
      const kept = [cwd, join(real, '..')];
      const run = await rehearse(world, { cwd, dir: 'linked' }, kept);
      expect(verdictOf(run)).toEqual(clean);
    }));
});

describe('a rehearsal in a workspace', () => {
  const inStage = (use: (world: World) => Promise<void>): Promise<void> =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      mkdirSync(join(lab.dir, 'terraform.tfstate.d/stage'), { recursive: true });
      renameSync(
        join(lab.dir, 'terraform.tfstate'),
        join(lab.dir, 'terraform.tfstate.d/stage/terraform.tfstate'),
      );
      await use(world);
    });

  it('that was selected works as elsewhere', () =>
    inStage(async (world) => {
      const { lab } = world;
      expect((await lab.terraform('workspace', 'select', 'stage')).code).toBe(0);
      const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir]);
      expect(verdictOf(run)).toEqual(clean);
    }));

  it('that TF_WORKSPACE names does, too', () =>
    inStage(async (world) => {
      const { lab } = world;
      const environment = { TF_WORKSPACE: 'stage' };
      const run = await rehearse(world, { cwd: lab.dir, dir: '.', environment }, [lab.dir]);
      expect(verdictOf(run)).toEqual(clean);
    }));

  it('of one state leaves the other states in theirs', () =>
    inStage(async (world) => {
      const { lab } = world;
      const above = temporaryFolder();
      for (const name of ['one', 'two'])
        cpSync(lab.dir, join(above, name), { recursive: true, verbatimSymlinks: true });
      const state = readFileSync(
        join(above, 'one/terraform.tfstate.d/stage/terraform.tfstate'),
        'utf8',
      );
      writeFileSync(join(above, 'one/terraform.tfstate'), state.replace('5c9b2d9e', '5c9b2d9f'));
      rmSync(join(above, 'one/terraform.tfstate.d'), { recursive: true });
      const two = join(above, 'two');
      const selected = await terraform(two, ['workspace', 'select', 'stage'], lab.environment);
      expect(selected.code).toBe(0);
      const flags = ['--dir', 'two'];
      const run = await rehearse(world, { cwd: above, dir: 'one', flags }, [above]);
      expect(verdictOf(run)).toEqual(clean);
    }));
});

describe('a project that is unlike others', () => {
  it('may hold a socket, and a link to the folder above it', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      symlinkSync('..', join(lab.dir, 'above'));
      const server = createServer().listen(join(lab.dir, 'socket'));
      await once(server, 'listening');
      try {
        const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, []);
        expect(verdictOf(run)).toEqual(clean);
      } finally {
        server.close();
      }
    }));

  it('has variables in a file beside it', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const above = temporaryFolder();
      const waf = join(above, 'waf');
      cpSync(lab.dir, waf, { recursive: true });
      writeFileSync(join(waf, 'variables.tf'), 'variable "common" {}\n');
      writeFileSync(join(above, 'common.tfvars'), 'common = "value"\n');
      const flags = ['--', '-var-file=../common.tfvars'];
      const run = await rehearse(world, { cwd: waf, dir: '.', flags }, [above]);
      expect(verdictOf(run)).toEqual(clean);
      rmSync(join(above, 'common.tfvars'));
      const {
        lab: { environment },
      } = world;
      const missing = await runCli(['rehearse', 'plan.json', '--json'], { cwd: waf, environment });
      expect(errorOf(missing)).toMatchObject({
        code: 'TERRAFORM_FAILED',
        message: expect.stringContaining('Failed to read variables file'),
      });
    }));

  it('reads files beside it; one whose name is put together is told of', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const above = temporaryFolder();
      const waf = join(above, 'waf');
      cpSync(lab.dir, waf, { recursive: true });
      mkdirSync(join(above, 'policies'));
      writeFileSync(join(above, 'policies/one.json'), '{}');
      const reads = ['"../policies/one.json"', '"${path.module}/../policies/one.json"'];
      const locals = (given: string[]): string =>
        given.map((one, at) => `locals {\n  read_${at} = file(${one})\n}\n`).join('');
      writeFileSync(join(waf, 'reads.tf'), locals(reads));
      const run = await rehearse(world, { cwd: waf, dir: '.' }, [above]);
      expect(verdictOf(run)).toEqual(clean);
      writeFileSync(join(waf, 'reads.tf'), locals(['join("/", ["..", "policies/one.json"])']));
      const failed = await rehearse(world, { cwd: waf, dir: '.' }, [above]);
      expect(errorOf(failed)).toMatchObject({
        code: 'TERRAFORM_FAILED',
        hint: expect.stringContaining('of the copy, which is gone'),
      });
    }));
});

it('a rehearsal without the variables that Terraform needs says how to plan again with them', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    lab.write('variables.tf', 'variable "owner" {\n  type = string\n}\n');
    const failed = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir]);
    expect(errorOf(failed)).toMatchObject({
      code: 'TERRAFORM_FAILED',
      message: expect.stringContaining('No value for required variable'),
      hint: expect.stringContaining('plan again with `-- -var-file=…`'),
    });
  }));
