import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  deleteParts,
  type FileToWrite,
  writeFiles,
  type WriteOptions,
} from '../../src/files/write-files';
import { MigrationError } from '../../src/core/migration-error';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

function write(files: Record<string, string>, options: Partial<WriteOptions> = {}): void {
  const list = Object.entries(files).map(([name, text]): FileToWrite => ({ path: at(name), text }));
  writeFiles(list, { force: false, ...options });
}

function failureOf(files: Record<string, string>, options: Partial<WriteOptions> = {}): string {
  try {
    write(files, options);
  } catch (error) {
    if (error instanceof MigrationError) return error.code;
    throw error;
  }
  return 'none';
}

describe('files are written', () => {
  it('with the folders that they need', () => {
    write({ 'a/b/one': '1', 'a/two': '2' });
    expect([read('a/b/one'), read('a/two')]).toEqual(['1', '2']);
    expect(readdirSync(at('a')).sort()).toEqual(['b', 'two']);
  });

  it('only if they differ', () => {
    write({ one: '1' });
    const { ino, mtimeMs } = statSync(at('one'));
    write({ one: '1' }, { force: true });
    expect([statSync(at('one')).ino, statSync(at('one')).mtimeMs]).toEqual([ino, mtimeMs]);
  });

  it('over others only with force, or if these may be replaced', () => {
    write({ one: 'old' });
    expect(failureOf({ one: 'new', two: '2' })).toBe('FILE_EXISTS');
    expect([read('one'), readdirSync(folder)]).toEqual(['old', ['one']]);
    expect(failureOf({ one: 'new' }, { mayReplace: (text) => text === 'other' })).toBe(
      'FILE_EXISTS',
    );
    write({ one: 'new' }, { mayReplace: (text) => text === 'old' });
    write({ one: 'newer' }, { force: true });
    expect(read('one')).toBe('newer');
  });

  it('with the permissions of the replaced file, or the given ones', () => {
    writeFileSync(at('one'), 'old');
    chmodSync(at('one'), 0o640);
    write({ one: 'new' }, { force: true });
    expect(statSync(at('one')).mode & 0o777).toBe(0o640);
    write({ two: 'secret' }, { mode: 0o600 });
    expect(statSync(at('two')).mode & 0o777).toBe(0o600);
  });

  it('of the same owner, where the process may say so', () => {
    const other = process.getuid?.() === 0 ? 4321 : statSync(folder).uid;
    writeFileSync(at('one'), 'old');
    chownSync(at('one'), other, statSync(at('one')).gid);
    write({ one: 'new' }, { force: true });
    expect(statSync(at('one')).uid).toBe(other);
  });

  it('through a symbolic link, which stays one', () => {
    mkdirSync(at('real'));
    writeFileSync(at('real/file'), 'old');
    symlinkSync('real', at('folder'));
    symlinkSync('real/file', at('link'));
    write({ 'folder/new': '1' });
    expect(read('real/new')).toBe('1');
    expect(failureOf({ link: 'new' })).toBe('FILE_EXISTS');
    write({ link: 'new' }, { force: true });
    expect([read('real/file'), lstatSync(at('link')).isSymbolicLink()]).toEqual(['new', true]);
    expect(readdirSync(at('real')).sort()).toEqual(['file', 'new']);
  });

  it('but not over an endless file of /proc', () => {
    symlinkSync('/proc/self/pagemap', at('link'));
    expect(failureOf({ link: 'new' })).toBe('FILE_EXISTS');
  });
});

describe('no file is written, and none is left behind', () => {
  const filesLeft = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name);

  const others = { first: '1', 'new/second': '2' };

  const link = (to: string) => () => {
    symlinkSync(to, at('target'));
  };
  const made = (make: (path: string) => unknown) => () => {
    make(at('target'));
  };

  it.each([
    ['a folder stands at a file’s place', made(mkdirSync), 'target'],
    [
      'a file stands at a folder’s place',
      made((path) => {
        writeFileSync(path, '');
      }),
      'target/file',
    ],
    ['a link leads nowhere', link('nowhere'), 'target'],
    ['a link leads to itself', link('target'), 'target'],
    ['a link to a folder leads nowhere', link('nowhere'), 'target/file'],
    ['the place is a device', link('/dev/null'), 'target'],
    ['the name is too long', () => undefined, 'x'.repeat(300)],
  ])('when %s', (_, prepare, target) => {
    prepare();
    const before = filesLeft();
    expect(failureOf({ ...others, [target]: 'text' }, { force: true })).toBe('FILE_UNWRITABLE');
    expect(filesLeft()).toEqual(before);
    expect(existsSync('/dev/null') && lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('when the last of several cannot be written, the first are restored', () => {
    writeFileSync(at('old'), 'before');
    const list: FileToWrite[] = [
      { path: at('old'), text: 'after' },
      { path: at('fresh'), text: 'after' },
      { path: at('sub/blocked'), text: 'after' },
      // the same place again: by then its folder is a file
      { path: at('sub/blocked/inner'), text: 'after' },
    ];
    expect(() => {
      writeFiles(list, { force: true });
    }).toThrow(MigrationError);
    expect([filesLeft(), read('old')]).toEqual([['old'], 'before']);
  });
});

it('keeps other files', () => {
  write({ 'a/one.part': 'mine' });
  write({ 'a/one': '1' });
  expect([read('a/one.part'), read('a/one')]).toEqual(['mine', '1']);
});

it('deletes only what a killed run left beside a file', () => {
  const others = ['one.tf', 'one.tf.part', 'one.tf.0123456789AB.part', 'two.tf.0123456789ab.part'];
  const all = [...others, 'one.tf.0123456789ab.part', 'one.tf.ba9876543210.part'];
  write(Object.fromEntries(all.map((name) => [name, name])));
  deleteParts(at('one.tf'));
  expect(readdirSync(folder).sort()).toEqual([...others].sort());
});
