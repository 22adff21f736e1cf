import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration, requireConfiguration } from '../../src/project/read-configuration';
import { temporaryFolder } from '../support/temporary-folder';

it('reads a module far above the folder of the plan', async () => {
  const folder = temporaryFolder();
  const deep = Array.from({ length: 12 }, (_, at) => `d${at}`).join('/');
  const source = `${'../'.repeat(12)}modules/old`;
  for (const dir of [deep, 'modules/old']) mkdirSync(join(folder, dir), { recursive: true });
  writeFileSync(join(folder, 'modules/old/main.tf'), 'output "o" {\n  value = 1\n}\n');
  writeFileSync(join(folder, deep, 'main.tf'), `module "old" {\n  source = "${source}"\n}\n`);
  const { project } = (await readConfiguration('.', join(folder, deep)))!;
  expect([[...project.modules.keys()], project.unread.size]).toEqual([['.', source], 0]);
});

it.each([
  ['a stack that CDKTF synthesised as HCL', 'cdk.tf', 'synthesised this stack as HCL'],
  ['a file that only OpenTofu loads', 'waf.tofu', 'waf.tofu: only OpenTofu loads this file'],
])('refuses %s', async (_, name, words) => {
  const folder = temporaryFolder();
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
  };
  write('main.tf', '');
  write('metadata.json', '{}');
  write('.hidden.tofu', '');
  expect(await readConfiguration('.', folder)).toBeDefined();
  write(name, '');
  await expect(requireConfiguration('.', folder)).rejects.toMatchObject({
    code: 'CONFIG_EDIT_REFUSED',
    message: expect.stringContaining(words),
  });
});

describe('the files of a folder that Terraform loads', () => {
  it('no folder is one, whatever it is called; a link to a file is', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'waf.tf'));
    mkdirSync(join(folder, 'waf.tf.json'));
    execFileSync('mkfifo', [join(folder, 'pipe.tf')]);
    writeFileSync(join(folder, 'waf.tf/inner.tf'), '');
    writeFileSync(join(folder, 'shared'), '# shared\n');
    symlinkSync('shared', join(folder, 'link.tf'));
    writeFileSync(join(folder, 'main.tf'), '# main\n');
    const { project } = (await readConfiguration('.', folder))!;
    expect(project.rootModule.files.map(({ path, text }) => [path, text])).toEqual([
      ['link.tf', '# shared\n'],
      ['main.tf', '# main\n'],
    ]);
  });

  it('a loop of links ends where the system ends it', async () => {
    const folder = temporaryFolder();
    symlinkSync('.', join(folder, 'loop'));
    writeFileSync(join(folder, 'main.tf'), 'module "loop" { source = "./loop" }\n');
    const { project } = (await readConfiguration('.', folder))!;
    expect([...project.unread]).toMatchObject([{ name: 'loop' }]);
  });

  it('a link to a device is not read', async () => {
    const folder = temporaryFolder();
    symlinkSync('/dev/zero', join(folder, 'main.tf'));
    await expect(requireConfiguration('.', folder)).rejects.toMatchObject({
      message: 'cannot read main.tf',
      cause: { message: 'it is not a regular file' },
    });
  });

  it('a link to nothing is named', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'tf'));
    symlinkSync('gone', join(folder, 'tf/link.tf'));
    await expect(requireConfiguration('tf', folder)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'cannot read tf/link.tf',
    });
  });
});

it('names the places of links to files and folders, and nothing else', async () => {
  const folder = temporaryFolder();
  for (const name of ['own', 'shared']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'shared/waf.tf'), '');
  writeFileSync(join(folder, 'own/main.tf'), '');
  symlinkSync('../shared/waf.tf', join(folder, 'own/waf.tf'));
  symlinkSync('own', join(folder, 'link'));
  const placesOf = async (dir: string): Promise<ReadonlyMap<string, string>> =>
    (await readConfiguration(dir, folder))!.linkedFiles!;
  expect([...(await placesOf('own'))]).toEqual([['own/waf.tf', 'shared/waf.tf']]);
  expect(Object.fromEntries(await placesOf('link'))).toEqual({
    'link/main.tf': 'own/main.tf',
    'link/waf.tf': 'shared/waf.tf',
  });
});

it('names them also for a folder of plans that is not there yet', async () => {
  const folder = temporaryFolder();
  for (const name of ['own', 'shared']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'shared/waf.tf'), '');
  symlinkSync('../shared/waf.tf', join(folder, 'own/waf.tf'));
  const plans = join(folder, 'all/plans');
  const own = (await readConfiguration('../../own', plans))!;
  expect([...own.linkedFiles!]).toEqual([['../../own/waf.tf', '../../shared/waf.tf']]);
});
