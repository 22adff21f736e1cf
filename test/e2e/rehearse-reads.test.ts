import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applySettings, errorOf } from '../support/apply-world';
import { rehearse, takeIntoModule, verdictOf } from '../support/rehearsal';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';
import { inWorld, type World } from '../support/world';

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
/** A state whose output says where it was. */
const stateOf = (where: string): string =>
  JSON.stringify({
    version: 4,
    terraform_version: '1.11.4',
    serial: 1,
    lineage: where,
    outputs: { where: { value: where, type: 'string' } },
    resources: [],
  });
const stateRead = (name: string, config: string): string =>
  `data "terraform_remote_state" "${name}" {\n  backend = "local"\n  ${config}\n}\n`;
/** Keeps Terraform from planning where an expression is not true. */
const demand = (name: string, condition: string): string =>
  `module "${name}" {\n  source = "./demands"\n  met    = ${condition}\n}\n`;
const demanding = `variable "met" {
  validation {
    condition     = var.met
    error_message = "not met"
  }
}
`;

/** The project in a folder below another one, where what it reads may lie. */
async function inFolder(
  files: Record<string, string>,
  use: (world: World, above: string) => Promise<void>,
): Promise<void> {
  await inWorld(applySettings, async (world) => {
    const { lab } = world;
    const above = temporaryFolder();
    cpSync(lab.dir, join(above, 'waf'), { recursive: true });
    write(join(above, 'waf/demands/main.tf'), demanding);
    for (const [name, text] of Object.entries(files)) write(join(above, name), text);
    const init = await terraform(join(above, 'waf'), ['init'], lab.environment);
    expect([init.code, init.stderr]).toEqual([0, '']);
    await use(world, above);
  });
}
const verdictIn = async (world: World, above: string): Promise<unknown> =>
  verdictOf(await rehearse(world, { cwd: join(above, 'waf'), dir: '.' }, [above]));

describe('a rehearsal has the states that the configuration reads in files', () => {
  it('in its folder, beside it, from a module, and in another workspace', () =>
    inFolder(
      {
        'waf/network.tfstate': stateOf('here'),
        'network/terraform.tfstate': stateOf('beside'),
        'network/terraform.tfstate.d/prod/terraform.tfstate': stateOf('prod'),
        'waf/terraform.tfstate.d/stage/terraform.tfstate': stateOf('stage'),
        'waf/reads.tf': [
          stateRead('stage', 'workspace = "stage"'),
          stateRead('here', 'config = { path = "network.tfstate" }'),
          stateRead('beside', 'config = { path = "../network/terraform.tfstate" }'),
          stateRead(
            'prod',
            'config = { workspace_dir = "${path.root}/../network/terraform.tfstate.d" }\n  workspace = "prod"',
          ),
          'module "reader" {\n  source = "./modules/reader"\n}\n',
          ...['here', 'beside', 'prod', 'stage'].map((name) =>
            demand(name, `data.terraform_remote_state.${name}.outputs.where == "${name}"`),
          ),
        ].join(''),
        'waf/modules/reader/main.tf.json': JSON.stringify({
          data: {
            terraform_remote_state: {
              module: { backend: 'local', config: { path: '${path.module}/own.tfstate' } },
            },
          },
        }),
        'waf/modules/reader/own.tfstate': stateOf('module'),
      },
      async (world, above) => {
        expect(await verdictIn(world, above)).toBe('clean');
      },
    ));

  it('or says before anything runs which of them only Terraform can tell', () =>
    inFolder(
      {
        'waf/reads.tf': `variable "path" {\n  default = "network.tfstate"\n}\n${stateRead('network', 'config = { path = var.path }')}`,
        'waf/network.tfstate': stateOf('here'),
      },
      async (world, above) => {
        const run = await rehearse(world, { cwd: join(above, 'waf'), dir: '.' }, [above]);
        expect(errorOf(run)).toMatchObject({
          code: 'REHEARSAL_IMPOSSIBLE',
          message: expect.stringContaining('data.terraform_remote_state.network in reads.tf'),
        });
        expect(run.stderr).not.toContain('"event"');
      },
    ));
});

describe('a rehearsal has the files that the configuration reads beside it', () => {
  it('by their pattern, and by a name of which the folder is written out', () =>
    inFolder(
      {
        'policies/one.json': '{}',
        'policies/deep/two.json': '{}',
        'waf/reads.tf': [
          'locals {\n  files = fileset(path.module, "../policies/**/*.json")\n}\n',
          demand('pattern', 'length(local.files) == 2'),
          demand(
            'names',
            'alltrue([for one in ["one", "deep/two"] : file("../policies/${one}.json") == "{}"])',
          ),
          demand('there', 'fileexists("../policies/one.json")'),
        ].join(''),
        'waf/more.tf.json': JSON.stringify({
          module: {
            json: {
              source: './demands',
              met: '${file("${path.module}/../policies/one.json") == "{}"}',
            },
          },
        }),
      },
      async (world, above) => {
        expect(await verdictIn(world, above)).toBe('clean');
      },
    ));

  it('or says before anything runs that they lie where the project does', () =>
    inFolder(
      {
        'one.json': '{}',
        'waf/reads.tf': 'locals {\n  files = fileset("${path.module}/..", "*.json")\n}\n',
      },
      async (world, above) => {
        const run = await rehearse(world, { cwd: join(above, 'waf'), dir: '.' }, [above]);
        expect(errorOf(run)).toMatchObject({
          code: 'REHEARSAL_IMPOSSIBLE',
          message: expect.stringContaining('reads.tf'),
        });
      },
    ));
});

describe('a rehearsal has the modules that lie beside what a link leads to', () => {
  /** A module behind a link, which calls the one beside it and reads a file there. */
  const behindLink = async (
    beside: Record<string, string>,
    use: (world: World, kept: string[]) => Promise<void>,
  ): Promise<void> => {
    await inWorld(applySettings, async (world) => {
      const { lab } = world;
      const shared = temporaryFolder();
      takeIntoModule(world, join(shared, 'waf'), './modules/waf');
      write(join(shared, 'sibling/main.tf'), 'output "name" {\n  value = "sibling"\n}\n');
      write(join(shared, 'one.json'), '{}');
      write(
        join(shared, 'waf/calls.tf'),
        'module "sibling" {\n  source = "../sibling"\n}\nlocals {\n  read = file("${path.module}/../one.json")\n}\n',
      );
      mkdirSync(join(lab.dir, 'modules'));
      symlinkSync(join(shared, 'waf'), join(lab.dir, 'modules/waf'));
      for (const [name, text] of Object.entries(beside))
        write(join(lab.dir, 'modules', name), text);
      const init = await lab.terraform('init');
      expect([init.code, init.stderr]).toEqual([0, '']);
      await use(world, [lab.dir, shared]);
    });
  };

  it('and what these read', () =>
    behindLink({}, async (world, kept) => {
      const run = await rehearse(world, { cwd: world.lab.dir, dir: '.' }, kept);
      expect(verdictOf(run)).toBe('clean');
    }));

  it('or says that two folders would be one', () =>
    behindLink({ 'sibling/other.tf': '' }, async (world, kept) => {
      const run = await rehearse(world, { cwd: world.lab.dir, dir: '.' }, kept);
      expect(errorOf(run)).toMatchObject({
        code: 'REHEARSAL_IMPOSSIBLE',
        message: expect.stringContaining('would be one'),
      });
    }));
});
