import { mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { appliedFolder, RULESET } from '../support/applied-folder';

const part = '0123456789ab.part';
const edit = (file: string) => ({
  ...{ file, sha256: null, sha256After: '', remove: [], diff: '' },
});

describe('what a killed run left half-written', () => {
  const left = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.part'))
      .sort();

  it('goes with the next rollback: beside the files of the plan, where a link leads, among the backups', async () => {
    const steps = ['main.tf', 'linked.tf', 'gone/away.tf'].map((file) => ({
      ...{ kind: 'edit', addresses: [`${RULESET}.a`], edits: [edit(file)] },
    })) as never;
    const { rollback, write, at, folder } = appliedFolder({ steps });
    write('module/real.tf', '');
    symlinkSync(at('module/real.tf'), at('linked.tf'));
    const saved = 'cf-waf-migrate-backup';
    const ours = ['main.tf', 'module/real.tf', `${saved}/main-1.tfstate`, `${saved}/files/x`];
    for (const path of ours) write(`${path}.${part}`, 'half');
    const hourAgo = Date.now() / 1000 - 3600;
    for (const path of ours) utimesSync(at(`${path}.${part}`), hourAgo, hourAgo);
    const theirs = [
      ...[`other.tf.${part}`, 'main.tf.part', `module/main.tf.${part}`],
      // of another plan, being written now
      `${saved}/other-1.tfstate.${part}`,
    ];
    for (const path of theirs) write(path, 'mine');
    await rollback();
    expect(left(folder)).toEqual(theirs.sort());
  });

  it('stays where it cannot be taken away, and stops nobody', async () => {
    const steps = [{ kind: 'edit', edits: [edit('main.tf')] }] as never;
    const { rollback, at, folder } = appliedFolder({ steps });
    mkdirSync(at(`main.tf.${part}`));
    await rollback();
    expect(left(folder)).toEqual([`main.tf.${part}`]);
  });
});
