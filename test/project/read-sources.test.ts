import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources } from '../../src/project/read-configuration';
import { temporaryFolder } from '../support/temporary-folder';

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
    const sources = await readSources('.', folder);
    expect(sources!.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['link.tf', '# shared\n'],
      ['main.tf', '# main\n'],
    ]);
  });

  it('a link to nothing is named', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'tf'));
    symlinkSync('gone', join(folder, 'tf/link.tf'));
    await expect(readSources('tf', folder)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'cannot read tf/link.tf',
    });
  });
});
