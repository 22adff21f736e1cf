import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigBlock } from '../../src/tfconfig/config';
import { findReferences } from '../../src/tfconfig/find-references';
import { renderHclBlocks, renderJsonBlocks } from '../../src/tfconfig/state-blocks';
import { parseAddress, printAddress } from '../../src/core/resource-address';
import { temporaryFolder, writeInto } from '../support/temporary-folder';
import { terraform } from '../support/terraform';
import { filesOf, openProject, removeBlocks } from '../tfconfig/open-project';

type Files = Readonly<Record<string, string>>;

/** Whether Terraform accepts the files. */
async function accepts(folder: string, files: Files): Promise<boolean> {
  const empty = { version: 4, serial: 1, lineage: 'x', outputs: {}, resources: [] };
  writeInto(folder, { ...files, 'other.tfstate': JSON.stringify(empty) });
  // what Terraform has built in needs no init
  if (Object.keys(files).some((path) => path.includes('/'))) {
    const init = await terraform(folder, ['init', '-input=false', '-backend=false']);
    if (init.code !== 0) return false;
  }
  // only a plan checks the object of an import block
  const { code } = await terraform(folder, ['plan', '-input=false', '-refresh=false']);
  return code === 0;
}

/** The files without the blocks named `gone`, and whether a reference would break. */
async function withoutGone(files: Files): Promise<{ edited: Files; breaks: boolean }> {
  const project = await openProject(files);
  const all = filesOf(project);
  const isGone = ({ type, labels }: ConfigBlock): boolean =>
    (type === 'resource' || type === 'data') && labels[1] === 'gone';
  const going = new Set(all.flatMap(({ blocks }) => blocks.filter(isGone)));
  expect(going.size).toBeGreaterThan(0);
  const references = findReferences(project, going);
  const edited = all.map((file) => [file.path, removeBlocks(file, file.blocks.filter(isGone))]);
  return { edited: Object.fromEntries(edited) as Files, breaks: references.length > 0 };
}

const gone =
  'resource "terraform_data" "gone" { input = { x = 1 } }\ndata "terraform_remote_state" "gone" {\n  backend = "local"\n  config = { path = "other.tfstate" }\n}\nresource "terraform_data" "kept" {}\n';
const child = 'resource "terraform_data" "gone" {}\nresource "terraform_data" "kept" {}\n';
const call = 'module "m" {\n  source = "./m"\n}\n';
const output = (value: string): string => `output "o" { value = ${value} }\n`;
const resource = (body: string): string => `resource "terraform_data" "x" {\n${body}\n}\n`;
const GONE = 'terraform_data.gone';

test.each<[string, boolean, string | object, string?]>([
  ['an output', true, output(`${GONE}.id`)],
  ['a long reference', true, output(`resource.${GONE}.id`)],
  ['a local value', true, 'locals { o = "${terraform_data.gone.id}" }\n'],
  ['depends_on', true, resource(`depends_on = [${GONE}]`)],
  ['a data source', true, resource('for_each = data.terraform_remote_state.gone.outputs')],
  ['a trigger', true, resource(`lifecycle {\n  replace_triggered_by = [${GONE}]\n}`)],
  ['blanks and a comment', true, output('terraform_data /* x */ . gone . id')],
  ['an import', true, `import {\n  to = ${GONE}\n  id = "x"\n}\n`],
  ['an argument of a module', true, call.replace('}', `  x = ${GONE}.id\n}`), 'variable "x" {}'],
  ['an output of a module', true, call, child + output(`${GONE}.id`)],
  ['JSON: a template', true, { output: { o: { value: 'x ${terraform_data.gone.id}' } } }],
  ['JSON: depends_on', true, { resource: { terraform_data: { x: { depends_on: [GONE] } } } }],
  ['JSON: a literal', false, { output: { o: { value: `${GONE}.id $\${${GONE}.id}` } } }],
  ['moved', false, `moved {\n  from = terraform_data.old\n  to = ${GONE}\n}\n`],
  ['a string', false, output(`"${GONE}.id"`)],
  ['a key', false, output('{ terraform_data = { gone = 1 } }')],
  ['a left-over variable', false, 'variable "x" { default = 1 }\nlocals { y = var.x }\n'],
  [
    'a module whose output stays',
    false,
    call + output('module.m.o'),
    child + output('terraform_data.kept.id'),
  ],
])(
  'Terraform agrees with what is said to break when a block goes %s',
  async (_, expected, text, module = '') => {
    const files = {
      ...(typeof text === 'string' ? { 'o.tf': text } : { 'o.tf.json': JSON.stringify(text) }),
      ...(module !== '' && { 'm/m.tf': module }),
    };
    const folder = temporaryFolder();
    const before = { 'main.tf': gone, ...files };
    const { edited, breaks } = await withoutGone(before);
    const tookBefore = await accepts(folder, before);
    for (const path of Object.keys(before)) rmSync(join(folder, path));
    const takesAfter = await accepts(folder, edited);
    expect({ breaks, takesAfter }).toEqual({ breaks: expected, takesAfter: !expected });
    expect(tookBefore).toBe(true);
  },
);

const keys = [
  '',
  'a.b',
  'with "quotes"',
  'tmpl ${jndi:x} %{if}',
  'uni ☃ é',
  'new\nline\ttab',
  'back\\slash[0]',
  "it's",
  '$',
  '\u202e',
];
const addresses = keys.map((key) => printAddress('', 'managed', 'terraform_data', 'a', key));
const config = JSON.stringify({
  resource: {
    terraform_data: {
      a: {
        for_each: Object.fromEntries(
          keys.map((key) => [key.replace(/[$%](?=\{)/g, (sign) => sign + sign), 1]),
        ),
      },
    },
  },
});

test.each([
  ['HCL', 'blocks.tf', renderHclBlocks],
  ['JSON', 'blocks.tf.json', renderJsonBlocks],
])(
  'Terraform reads what is rendered import and removed, with keys of all kinds, in %s',
  async (_, path, render) => {
    const folder = temporaryFolder();
    const imports = addresses.map((to, index) => ({ to, id: `id-${index}` }));
    const removed = [
      'terraform_data.old["x"]',
      'terraform_data.old["y"]',
      'module.m["k"].terraform_data.b[0]',
    ];
    writeInto(folder, { 'main.tf.json': config, [path]: render({ imports, removed }) });
    if (path.endsWith('.tf')) {
      expect(await terraform(folder, ['fmt', '-check', path])).toMatchObject({ code: 0 });
    }
    const plan = await terraform(folder, ['plan', '-input=false', '-out=p.bin']);
    expect(plan.stderr).toBe('');
    const shown = await terraform(folder, ['show', '-json', 'p.bin']);
    const changes = (
      JSON.parse(shown.stdout) as {
        resource_changes: { address: string; change: { importing?: { id: string } } }[];
      }
    ).resource_changes;
    const imported = changes.map(({ address, change }) => [
      parseAddress(address).key,
      change.importing?.id,
    ]);
    expect(new Map(imported as [string, string][])).toEqual(
      new Map(keys.map((key, index) => [key, `id-${index}`])),
    );
  },
);
