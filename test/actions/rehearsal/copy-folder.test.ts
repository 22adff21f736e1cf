import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { FolderCopy } from '../../../src/actions/rehearsal/copy-folder';
import { temporaryFolder } from '../../support/temporary-folder';

/** A project below a folder of its own, and where its copy is to lie. */
function project(): { above: string; from: string; to: string } {
  const above = temporaryFolder();
  const from = join(above, 'project');
  mkdirSync(from);
  writeFileSync(join(from, 'main.tf'), 'main');
  return { above, from, to: join(temporaryFolder(), 'copy') };
}
const copyOf = ({ from, to }: { from: string; to: string }): string[] => {
  new FolderCopy((name) => name === '.git').addFolder(from, to);
  const entries = readdirSync(to, { recursive: true }).map(String).sort();
  for (const one of entries) expect(lstatSync(join(to, one)).isSymbolicLink()).toBe(false);
  return entries;
};

it('holds what links lead to, not the links: writing into it leaves the originals', () => {
  const made = project();
  const { above, from, to } = made;
  mkdirSync(join(above, 'shared'));
  writeFileSync(join(above, 'shared/waf.tf'), 'shared');
  symlinkSync('../shared/waf.tf', join(from, 'waf.tf'));
  symlinkSync(join(above, 'shared'), join(from, 'modules'));
  expect(copyOf(made)).toEqual(['main.tf', 'modules', 'modules/waf.tf', 'waf.tf']);
  writeFileSync(join(to, 'waf.tf'), '');
  writeFileSync(join(to, 'modules/waf.tf'), '');
  expect(readFileSync(join(above, 'shared/waf.tf'), 'utf8')).toBe('shared');
});

it('ends where links lead to a folder above themselves, to each other, or nowhere', () => {
  const made = project();
  const { above, from } = made;
  for (const [name, other] of ['ab', 'ba']) {
    mkdirSync(join(from, name!));
    symlinkSync(`../${other!}`, join(from, name!, other!));
  }
  symlinkSync('.', join(from, 'self'));
  symlinkSync(above, join(from, 'above'));
  symlinkSync('nowhere', join(from, 'dangling.tf'));
  symlinkSync('round.tf', join(from, 'round.tf'));
  expect(copyOf(made)).toEqual(['a', 'a/b', 'b', 'b/a', 'main.tf']);
});

it('leaves out what Terraform cannot read: sockets, pipes, and what is not allowed', async () => {
  const made = project();
  const { from } = made;
  const server = createServer().listen(join(from, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  execFileSync('mkfifo', [join(from, 'pipe')]);
  mkdirSync(join(from, 'closed'));
  writeFileSync(join(from, 'closed.txt'), '');
  for (const name of ['closed', 'closed.txt']) chmodSync(join(from, name), 0);
  // who may read everything gets them as well
  const isRoot = process.getuid?.() === 0;
  expect(copyOf(made)).toEqual([...(isRoot ? ['closed', 'closed.txt'] : []), 'main.tf']);
  chmodSync(join(from, 'closed'), 0o700);
  server.close();
});

it('is refused where links lead to more than a project has, or two files to one place', () => {
  const { above, from, to } = project();
  mkdirSync(join(above, 'many'));
  for (let at = 0; at < 101; at += 1) mkdirSync(join(above, 'many', String(at)));
  for (let at = 0; at < 100; at += 1) symlinkSync('../many', join(from, String(at)));
  const impossible: unknown = expect.objectContaining({ code: 'REHEARSAL_IMPOSSIBLE' });
  const copying = (): void => {
    new FolderCopy(() => false).addFolder(from, to);
  };
  expect(copying).toThrow(impossible as Error);
  const copy = new FolderCopy(() => false);
  writeFileSync(join(above, 'other.tf'), 'other');
  copy.addFile(join(from, 'main.tf'), join(to, 'one.tf'));
  copy.addFile(join(from, 'main.tf'), join(to, 'one.tf'));
  const another = (): void => {
    copy.addFile(join(above, 'other.tf'), join(to, 'one.tf'));
  };
  expect(another).toThrow(impossible as Error);
  expect(readFileSync(join(to, 'one.tf'), 'utf8')).toBe('main');
});
