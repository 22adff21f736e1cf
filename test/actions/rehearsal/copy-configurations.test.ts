import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { copyConfigurations } from '../../../src/actions/rehearsal/copy-configurations';
import { type Plan } from '../../../src/plan/plan';
import { temporaryFolder } from '../../support/temporary-folder';

const impossible = { code: 'REHEARSAL_IMPOSSIBLE' };

/** Files below a folder; a link where the text says to what it leads. */
function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text);
  }
  return folder;
}
/**
 * Copies what the state in `waf` is configured by; the names of all files of the copy, and where they lie.
 * @param pulled the text of the state of the copy, where there is one
 */
async function copyOf(
  files: Record<string, string>,
  workspace = 'default',
  pulled?: string,
): Promise<{ names: string[]; at: (name: string) => string }> {
  const folder = folderOf({ 'waf/main.tf': '', ...files });
  const root = temporaryFolder();
  const states = [{ name: 'waf', dir: 'waf', workspace }];
  const plan = { states, steps: [] } as unknown as Plan;
  const { folder: copy, addStatesRead } = await copyConfigurations({ plan, folder }, root);
  if (pulled !== undefined) writeFileSync(join(copy, 'waf/terraform.tfstate'), pulled);
  addStatesRead();
  const names = readdirSync(copy, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(copy, name)).isFile());
  return { names: names.sort(), at: (name) => join(copy, name) };
}
const reads = (expression: string): string => `locals {\n  read = ${expression}\n}\n`;
const stateRead = (...lines: string[]): string =>
  `data "terraform_remote_state" "one" {\n  backend = "local"\n${lines.join('\n')}\n}\n`;

it('a copy in a temporary folder of the project itself has no copy of it', async () => {
  const { names } = await copyOf({ 'waf/tmp/cf-waf-migrate-rehearsal-aB34x9/main.tf': '' });
  expect(names).toEqual(['waf/main.tf']);
});

describe('the states that a configuration reads in files are copied', () => {
  it.each([
    ['with its default path', '', 'waf/terraform.tfstate'],
    ['with a path', 'config = { path = "../b/one.tfstate" }', 'b/one.tfstate'],
    ['with one of Terraform 0.11', 'config {\n path = "../b/one.tfstate"\n}', 'b/one.tfstate'],
    [
      'of the same workspace',
      'workspace = terraform.workspace',
      'waf/terraform.tfstate.d/prod/terraform.tfstate',
    ],
    ['of the same, named', 'config = { path = "../b/${terraform.workspace}" }', 'b/prod'],
    ['of the default one', 'workspace = "default"', 'waf/terraform.tfstate'],
  ])('%s', async (_name, config, file) => {
    const { names, at } = await copyOf(
      { 'waf/main.tf': stateRead(config), [file]: 'secret', 'b/other.tfstate': '' },
      'prod',
    );
    expect(names).toEqual([file, 'waf/main.tf'].sort());
    expect(readFileSync(at(file), 'utf8')).toBe('secret');
    expect(statSync(at(file)).mode & 0o777).toBe(0o600);
  });

  it('beside a module that reads it', async () => {
    const { names } = await copyOf({
      'waf/main.tf': 'module "a" {\n  source = "../a"\n}\n',
      'a/main.tf': stateRead('config = { path = "${path.module}/one.tfstate" }'),
      'a/one.tfstate': '',
    });
    expect(names).toContain('a/one.tfstate');
  });

  it('but for that of the copy itself, which is as it was pulled', async () => {
    const files = { 'waf/main.tf': stateRead(''), 'waf/terraform.tfstate': 'stale' };
    const { at } = await copyOf(files, 'default', 'pulled');
    expect(readFileSync(at('waf/terraform.tfstate'), 'utf8')).toBe('pulled');
  });

  it('but for one that is no file, or has an absolute path, or another backend', async () => {
    for (const config of [
      'config = { path = "../none.tfstate" }',
      'config = { path = "/states/${var.one}" }',
    ])
      expect((await copyOf({ 'waf/main.tf': stateRead(config) })).names).toEqual(['waf/main.tf']);
    const other =
      'data "terraform_remote_state" "one" {\n  backend = "s3"\n  config = var.one\n}\n';
    expect((await copyOf({ 'waf/main.tf': other })).names).toEqual(['waf/main.tf']);
  });

  it.each([
    'config = { path = var.one }',
    'config = { path = "../${each.key}.tfstate" }',
    'config = { path = abspath("${path.module}/one.tfstate") }',
    'config = var.one',
    'workspace = var.one',
    'workspace = "prod"\n  config = var.one',
  ])('or it is said that %j cannot be told', async (config) => {
    await expect(copyOf({ 'waf/main.tf': stateRead(config) })).rejects.toMatchObject(impossible);
  });

  it('and what is said of one holds nothing that could drive a terminal', async () => {
    const one = { backend: 'local', config: '${var.one}' };
    const data = { terraform_remote_state: { '\u001b[2J': one } };
    const copying = copyOf({ 'waf/\u001b[2J.tf.json': JSON.stringify({ data }) });
    const message = expect.stringMatching(/^[ -~]*u\{1b\}[ -~]*u\{1b\}[ -~]*$/) as string;
    await expect(copying).rejects.toMatchObject({ ...impossible, message });
  });

  it('is the one of an override file, where that has another', async () => {
    const { names } = await copyOf({
      'waf/main.tf': stateRead('config = { path = var.one }'),
      'waf/override.tf.json': JSON.stringify({
        data: { terraform_remote_state: { one: { config: { path: '${path.root}/../b/one' } } } },
      }),
      'b/one': '',
    });
    expect(names).toContain('b/one');
  });
});

describe('the files that a configuration reads are copied', () => {
  const beside = { 'b/one.json': '', 'b/deep/two.json': '' };

  it.each([
    ['file("../b/one.json")', ['b/one.json']],
    ['fileexists("${path.module}/../b/one.json")', ['b/one.json']],
    ['fileset("../b", "*.json")', Object.keys(beside)],
    ['fileset(path.module, "../b/{one,two}*")', Object.keys(beside)],
    ['fileset("${path.module}/..", "b/deep/*.json")', ['b/deep/two.json']],
    ['templatefile("${path.root}/../b/${each.key}.json", {})', Object.keys(beside)],
    ['file("../b/${terraform.workspace}.json")', ['b/one.json']],
    ['file("${path.module}/${each.key}.json")', []],
    ['file("../none/${each.key}.json")', []],
  ])('that %s reads', async (expression, files) => {
    const { names } = await copyOf({ 'waf/main.tf': reads(expression), ...beside }, 'one');
    expect(names).toEqual([...files, 'waf/main.tf'].sort());
  });

  it.each(['file("../${each.key}.json")', 'fileset(path.module, "../*.json")'])(
    'or it is said that %s reads where the project lies',
    async (expression) => {
      await expect(copyOf({ 'waf/main.tf': reads(expression) })).rejects.toMatchObject(impossible);
    },
  );

  it('from there, too, where the folder is that of a module', async () => {
    const { names } = await copyOf({
      'waf/main.tf': 'module "above" {\n  source = ".."\n}\n',
      'above.tf': reads('file("${path.module}/${each.key}.json")'),
      'one.json': '',
    });
    expect(names).toEqual(['above.tf', 'one.json', 'waf/main.tf']);
  });
});

describe('the modules that a configuration calls are copied', () => {
  const call = (name: string, source: string): string =>
    `module "${name}" {\n  source = "${source}"\n}\n`;

  it('from beside what a link leads to, also where they read files', async () => {
    const { names } = await copyOf({
      'waf/main.tf': call('a', './modules/a'),
      'waf/modules/a': '-> ../../shared/a',
      'shared/a/main.tf': `${call('b', '../b')}${reads('file("${path.module}/../one.json")')}`,
      'shared/b/main.tf': '',
      'shared/one.json': '',
      'shared/other.json': '',
    });
    expect(names).toEqual(
      ['main.tf', 'modules/a/main.tf', 'modules/b/main.tf', 'modules/one.json'].map(
        (name) => `waf/${name}`,
      ),
    );
  });

  it('once, where a link leads to a module that calls itself', async () => {
    const { names } = await copyOf({ 'waf/main.tf': call('a', './a'), 'waf/a': '-> .' });
    expect(names).toEqual(['waf/main.tf']);
  });

  it('or it is said which two would be one', async () => {
    const copying = copyOf({
      'waf/main.tf': call('a', './modules/a'),
      'waf/modules/a': '-> ../../shared/a',
      'waf/modules/b/other.tf': '',
      'shared/a/main.tf': call('b', '../b'),
      'shared/b/main.tf': '',
    });
    await expect(copying).rejects.toMatchObject({
      ...impossible,
      message: expect.stringMatching(/waf\/modules\/b and .*shared\/b would be one in a copy$/),
    });
  });
});
