import fs from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../src/actions/apply/journal';
import { temporaryFolder } from '../../support/temporary-folder';

describe('the journal waits for the disk', () => {
  it('before what a line announces, and where the run ends', () => {
    const waits = jest.spyOn(fs, 'fsyncSync');
    try {
      const journal = openJournal(join(temporaryFolder(), 'journal'));
      const waited = (act: () => void): number => {
        waits.mockClear();
        act();
        return waits.mock.calls.length;
      };
      const file = { file: 'main.tf', sha256: null, sha256After: 'b', backup: null };
      const lines = [
        { event: 'begin', digest: 'a' },
        { event: 'start', step: '1' },
        { event: 'done', step: '1' },
        { event: 'file', ...file },
        { event: 'rolled-back' },
      ] as const;
      const counts = lines.map((line) =>
        waited(() => {
          journal.append(line);
        }),
      );
      expect(counts).toEqual([0, 1, 0, 1, 1]);
      const ended = waited(() => {
        journal.flush();
      });
      expect(ended).toBe(1);
      expect(openJournal(journal.path).entries).toEqual(lines);
    } finally {
      waits.mockRestore();
    }
  });
});
