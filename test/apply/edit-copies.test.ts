import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editStep } from '../../src/apply/steps/edit';
import { type ApplyContext } from '../../src/apply/apply-context';
import { fileCopyPath, openJournal } from '../../src/apply/journal/journal';
import { readLiveState } from '../../src/apply/preflight/live-state';
import { sha256 } from '../../src/tfconfig/config-source';
import { type Step } from '../../src/plan/plan';
import { OLD, oldText } from '../support/applied-folder';
import { temporaryFolder } from '../support/temporary-folder';

const digest = sha256(Buffer.from(oldText));
const after = sha256(Buffer.from(''));
const step: Step = {
  ...{ id: '2', kind: 'edit', state: 'main', title: '', why: '' },
  edits: [
    {
      ...{ file: 'main.tf', sha256: digest, sha256After: after, diff: '', proven: true },
      remove: [{ address: `${OLD}.a`, startLine: 1, endLine: 1 }],
    },
  ],
};

/** Goes on with the edit of a run that ended before it, and when the old file had been copied. */
async function goOn(copy: string | undefined) {
  const folder = temporaryFolder();
  const [path, kept] = [join(folder, 'main.tf'), join(folder, fileCopyPath(digest))];
  writeFileSync(path, oldText);
  mkdirSync(join(kept, '..'), { recursive: true });
  if (copy !== undefined) writeFileSync(kept, copy);
  const journal = openJournal(join(folder, 'journal'));
  const backup = fileCopyPath(digest);
  journal.append({ event: 'file', file: 'main.tf', sha256: digest, sha256After: after, backup });
  const context = {
    ...{ folder, journal, fault: () => undefined },
    plan: { states: [{ name: 'main', dir: '.', method: 'commands' }] },
    live: new Map([['main', readLiveState(Buffer.alloc(0))]]),
  } as unknown as ApplyContext;
  await editStep.run?.(step, context);
  return {
    text: readFileSync(path, 'utf8'),
    copy: existsSync(kept) && readFileSync(kept, 'utf8'),
    lines: journal.entries.length,
  };
}

describe('the copy of a file that is about to be edited', () => {
  const edited = { text: '', copy: oldText, lines: 1 };

  it('is made again where somebody has taken it away since', async () => {
    expect(await goOn(undefined)).toEqual(edited);
  });

  it('is made again where it was damaged', async () => {
    expect(await goOn('damaged')).toEqual(edited);
  });

  it('stays where it is as it was made', async () => {
    expect(await goOn(oldText)).toEqual(edited);
  });
});
