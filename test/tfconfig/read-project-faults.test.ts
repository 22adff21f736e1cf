import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { readProject } from '../../src/tfconfig/read-project';
import { openProject } from './open-project';

/** Reads texts by folder, and tells which folders it was asked for. */
function recording(texts: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const readFolder = (dir: string) => {
    asked.push(dir);
    const text = texts[dir];
    return Promise.resolve(
      text === undefined ? undefined : [{ path: `${dir}/m.tf`, bytes: Buffer.from(text) }],
    );
  };
  return { asked, readFolder };
}

describe('the folders of a project', () => {
  test.each([
    ['.', '.'],
    ['waf', 'waf'],
    ['waf/eu', 'waf/eu'],
    ['../waf', '../waf'],
  ])('begin, from %s, at %s', async (given, root) => {
    const { asked, readFolder } = recording({ [root]: '' });
    const project = await readProject(given, readFolder, await loadHclGrammar());
    expect([project.root, asked]).toEqual([root, [root]]);
  });

  test('are read once, however often they are called', async () => {
    const { asked, readFolder } = recording({
      '.': 'module "a" { source = "./m" }\nmodule "b" { source = "./m" }\n',
      m: 'module "up" { source = "../" }\n',
    });
    await readProject('.', readFolder, await loadHclGrammar());
    expect(asked).toEqual(['.', 'm']);
  });

  test('may lie as deep as 64, whatever their names', async () => {
    const folders = ['.', ...Array.from({ length: 64 }, (_, index) => `${'mm/'.repeat(index)}mm`)];
    const texts = folders.map((dir, index): [string, string] => [
      dir,
      index === 64 ? '' : 'module "m" { source = "./mm" }\n',
    ]);
    const { asked, readFolder } = recording(Object.fromEntries(texts));
    await readProject('.', readFolder, await loadHclGrammar());
    expect(asked).toEqual(folders);
  });

  test('are no loop of links', async () => {
    const bytes = Buffer.from('module "loop" { source = "./loop" }\n');
    const readFolder = (dir: string) => Promise.resolve([{ path: `${dir}/m.tf`, bytes }]);
    await expect(readProject('.', readFolder, await loadHclGrammar())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: 'look for a symbolic link that leads back to a folder above it',
    });
  });
});

describe('what cannot be read', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['is not there', {}],
    ['holds nothing that Terraform loads', { 'readme.md': '' }],
  ])('is a folder that %s', async (_, files) => {
    await expect(openProject(files)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: '. holds no Terraform configuration',
      hint: 'pass the folder that terraform runs in',
    });
  });

  test('is told with its own hint where it is one file', async () => {
    const fault = await openProject({ 'a.tf': 'a {\n' }).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      message: 'a.tf:2:1: syntax error',
      hint: expect.stringMatching(/^correct the file/),
    });
    expect(fault).not.toHaveProperty('cause');
  });

  test('is told together, each as the cause, where it is more', async () => {
    await expect(openProject({ 'a.tf': 'a {\n', 'b.tf': 'b {\n' })).rejects.toMatchObject({
      message: 'a.tf:2:1: syntax error; b.tf:2:1: syntax error',
      cause: [
        expect.objectContaining({ message: 'a.tf:2:1: syntax error' }),
        expect.objectContaining({ message: 'b.tf:2:1: syntax error' }),
      ],
    });
  });

  test('is no fault of a file where the parser itself fails', async () => {
    const bytes = Buffer.from('a {}\n');
    const readFolder = () => Promise.resolve(['a.tf', 'b.tf'].map((path) => ({ path, bytes })));
    const grammar = {
      ...(await loadHclGrammar()),
      parse: () => {
        throw new RangeError('out of memory');
      },
    };
    await expect(readProject('.', readFolder, grammar)).rejects.toThrow(RangeError);
  });
});
