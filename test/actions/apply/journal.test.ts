import fs from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../src/actions/apply/journal';
import { temporaryFolder } from '../../support/temporary-folder';

it('the journal waits for the disk after each line', () => {
  const waits = jest.spyOn(fs, 'fsyncSync');
  try {
    const journal = openJournal(join(temporaryFolder(), 'journal'));
    const lines = [
      { event: 'begin', digest: 'a' },
      { event: 'start', step: '1' },
      { event: 'done', step: '1' },
    ] as const;
    for (const [at, line] of lines.entries()) {
      journal.append(line);
      expect(waits).toHaveBeenCalledTimes(at + 1);
    }
    expect(openJournal(journal.path).entries).toEqual(lines);
  } finally {
    waits.mockRestore();
  }
});
