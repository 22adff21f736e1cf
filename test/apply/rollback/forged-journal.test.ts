import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type JournalEntry } from '../../../src/apply/journal/journal';
import { appliedFolder, oldText } from '../../support/applied-folder';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const EVIL = 'ssh-rsa evil';
const line = (file: string, more: object) =>
  ({ event: 'file', file, sha256: null, sha256After: 'x', backup: null, ...more }) as JournalEntry;

/** The code with which a rollback ends whose journal has one more line, and what it has left of two files. */
async function rollbackWith(event: JournalEntry) {
  const { rollback, write, at } = appliedFolder({ events: [event] });
  write('mine.tf', 'mine');
  write('cf-waf-migrate-backup/files/evil', EVIL);
  write(`cf-waf-migrate-backup/files/${sha256(EVIL)}`, EVIL);
  write('elsewhere/main-1.tfstate', EVIL);
  const code = await rollback({ force: true }).then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );
  const of = (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : undefined);
  return [code, of('mine.tf'), of('main.tf')];
}

describe('a line of a journal that apply does not write', () => {
  const untouched = ['JOURNAL_INVALID', 'mine', ''];
  const copied = { sha256: sha256(EVIL), backup: `cf-waf-migrate-backup/files/${sha256(EVIL)}` };

  it.each<[string, JournalEntry]>([
    ['deletes a file', line('mine.tf', { sha256After: sha256('mine') })],
    ['writes a file', line('../authorized_keys', copied)],
    ['brings back other bytes', line('main.tf', { ...copied, sha256After: sha256('') })],
    [
      'names a copy by another name',
      line('main.tf', {
        ...{ sha256: sha256(oldText), sha256After: sha256('') },
        backup: 'cf-waf-migrate-backup/files/evil',
      }),
    ],
    [
      'has no copy of what was there',
      line('main.tf', { sha256: sha256(oldText), sha256After: sha256('') }),
    ],
    [
      'names a state elsewhere',
      {
        ...{ event: 'backup', state: 'main', file: 'elsewhere/main-1.tfstate' },
        ...{ sha256: sha256(EVIL), lineage: 'l', serial: 1 },
      },
    ],
  ])('that %s stops the rollback before anything is written', async (_, event) => {
    expect(await rollbackWith(event)).toEqual(untouched);
  });
});
