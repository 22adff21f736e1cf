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
  it('in its folder, beside it, from a module, and in a folder of workspaces', () =>
    inFolder(
      {
        'waf/network.tfstate': stateOf('here'),
        'network/terraform.tfstate': stateOf('beside'),
        'network/terraform.tfstate.d/prod/terraform.tfstate': stateOf('prod'),
        'waf/reads.tf': [
          stateRead('here', 'config = { path = "network.tfstate" }'),
          stateRead('beside', 'config = { path = "../network/terraform.tfstate" }'),
          stateRead(
            'prod',
            'config = { workspace_dir = "${path.root}/../network/terraform.tfstate.d" }\n  workspace = "prod"',
          ),
          'module "reader" {\n  source = "./modules/reader"\n}\n',
          ...['here', 'beside', 'prod'].map((name) =>
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

  it('or says that they are not in the copy, where only Terraform can tell which', () =>
    inFolder(
      {
        'waf/reads.tf': `variable "path" {\n  default = "network"\n}\n${stateRead('network', 'config = { path = "${var.path}.tfstate" }')}`,
        'waf/network.tfstate': stateOf('here'),
      },
      async (world, above) => {
        const run = await rehearse(world, { cwd: join(above, 'waf'), dir: '.' }, [above]);
        expect(errorOf(run)).toMatchObject({
          code: 'TERRAFORM_FAILED',
          message: expect.stringContaining('Unable to find remote state'),
          hint: expect.stringContaining('of the copy, which is gone'),
        });
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
});

it('a rehearsal without the module beside what a link leads to says that it is not in the copy', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    const shared = temporaryFolder();
    takeIntoModule(world, join(shared, 'waf'), './modules/waf');
    write(join(shared, 'sibling/main.tf'), '');
    write(join(shared, 'waf/calls.tf'), 'module "sibling" {\n  source = "../sibling"\n}\n');
    mkdirSync(join(lab.dir, 'modules'));
    symlinkSync(join(shared, 'waf'), join(lab.dir, 'modules/waf'));
    const init = await lab.terraform('init');
    expect([init.code, init.stderr]).toEqual([0, '']);
    const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir, shared]);
    expect(errorOf(run)).toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringContaining('of the copy, which is gone'),
    });
  }));
