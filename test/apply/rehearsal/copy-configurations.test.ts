import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { copyConfigurations } from '../../../src/apply/rehearsal/copy-configurations';
import { type Plan } from '../../../src/plan/plan';
import { temporaryFolder } from '../../support/temporary-folder';

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
  pulled?: string,
): Promise<{ names: string[]; at: (name: string) => string }> {
  const folder = folderOf({ 'waf/main.tf': '', ...files });
  const root = temporaryFolder();
  const states = [{ name: 'waf', dir: 'waf' }];
  const plan = { states, steps: [] } as unknown as Plan;
  const { folder: copy, addFilesRead } = await copyConfigurations({ plan, folder }, root);
  if (pulled !== undefined) writeFileSync(join(copy, 'waf/terraform.tfstate'), pulled);
  addFilesRead();
  const names = readdirSync(copy, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(copy, name)).isFile());
  return { names: names.sort(), at: (name) => join(copy, name) };
}
const reads = (expression: string): string => `locals {\n  read = ${expression}\n}\n`;
const call = (name: string, source: string): string =>
  `module "${name}" {\n  source = "${source}"\n}\n`;

describe('the copy of a configuration', () => {
  it('in a temporary folder of the project itself has no copy of it', async () => {
    const { names } = await copyOf({ 'waf/tmp/cf-waf-migrate-rehearsal-aB34x9/main.tf': '' });
    expect(names).toEqual(['waf/main.tf']);
  });

  it('holds what links lead to, not the links: writing into it leaves the originals', async () => {
    const { names, at } = await copyOf({
      'shared/waf.tf': '# shared',
      'shared/module/main.tf': '',
      'waf/waf.tf': '-> ../shared/waf.tf',
      'waf/module': '-> ../shared/module',
    });
    expect(names).toEqual(['waf/main.tf', 'waf/module/main.tf', 'waf/waf.tf']);
    for (const name of ['waf/waf.tf', 'waf/module'])
      expect(lstatSync(at(name)).isSymbolicLink()).toBe(false);
  });

  it('ends where links lead to a folder above themselves, to each other, or nowhere', async () => {
    const { names } = await copyOf({
      'waf/a/b': '-> ../b',
      'waf/b/a': '-> ../a',
      'waf/self': '-> .',
      'waf/above': '-> ..',
      'waf/dangling.json': '-> nowhere',
    });
    expect(names).toEqual(['waf/main.tf']);
  });

  it('is refused where a file cannot be copied', async () => {
    const root = temporaryFolder();
    const folder = folderOf({ 'waf/main.tf': '' });
    writeFileSync(join(root, 'waf'), '');
    const plan = { states: [{ name: 'waf', dir: 'waf' }], steps: [] } as unknown as Plan;
    await expect(copyConfigurations({ plan, folder }, root)).rejects.toThrow();
  });
});

describe('the files that a configuration reads are copied', () => {
  const beside = { 'b/one.json': '', 'b/deep/two.json': '' };

  it.each([
    ['file("../b/one.json")', ['b/one.json']],
    ['fileexists("${path.module}/../b/one.json")', ['b/one.json']],
    ['fileset("../b", "*.json")', Object.keys(beside)],
    ['fileset(path.module, "../b/{one,two}*")', Object.keys(beside)],
    ['templatefile("${path.root}/../b/${each.key}.json", {})', Object.keys(beside)],
    ['file("${path.module}/${each.key}.json")', []],
    ['file("../none/${each.key}.json")', []],
    ['file("../${each.key}.json")', []],
    ['file("/etc/hostname")', []],
    ['"https://example.com/../b/one.json"', []],
  ])('that %s reads', async (expression, files) => {
    const { names } = await copyOf({ 'waf/main.tf': reads(expression), ...beside });
    expect(names).toEqual([...files, 'waf/main.tf'].sort());
  });

  it('as JSON and modules name them', async () => {
    const { names } = await copyOf({
      'waf/main.tf': call('a', '../a'),
      'a/main.tf.json': JSON.stringify({
        locals: { one: '${file("${path.module}/../b/one.json")}' },
      }),
      ...beside,
    });
    expect(names).toEqual(['a/main.tf.json', 'b/one.json', 'waf/main.tf']);
  });

  it('also states, but for that of the copy itself, which is as it was pulled', async () => {
    const { names, at } = await copyOf(
      {
        'waf/main.tf': reads('["terraform.tfstate", "../b/one.tfstate", "own.tfstate"]'),
        'waf/terraform.tfstate': 'stale',
        'waf/own.tfstate': '',
        'waf/other.tfstate': '',
        'b/one.tfstate': '',
        'b/other.tfstate': '',
      },
      'pulled',
    );
    expect(names).toEqual([
      'b/one.tfstate',
      'waf/main.tf',
      'waf/own.tfstate',
      'waf/terraform.tfstate',
    ]);
    expect(readFileSync(at('waf/terraform.tfstate'), 'utf8')).toBe('pulled');
  });
});
