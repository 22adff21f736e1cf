import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/emulator';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { dayOfEvents } from '../review/support/day-of-events';
import { expectTranscript, replay, transcriptsOf } from './support/transcripts';

const emulated = join(__dirname, '../../src/emulator');

const scenario = 'enterprise';
const sessions = ['docs/review.md', 'docs/report.md'].flatMap((document) =>
  transcriptsOf(document).map(([where, session]) => ({ document, where, session })),
);

it.each(sessions)('$document shows the session $where unchanged', async ({ document, session }) => {
  const emulator = await startEmulator({
    scenario,
    clock: () => new Date('2026-03-02T09:00:00Z'),
  });
  try {
    const { environment } = emulator;
    const place = temporaryFolder();
    const now = await replay(session, {
      cwd: place,
      run: async (program, args, cwd) => {
        expect(program).toBe('cf-waf-migrate');
        if (args[0] === 'review') {
          mkdirSync(join(cwd, 'logs'));
          writeFileSync(join(cwd, 'logs/day.json'), dayOfEvents('log-only'));
        }
        return runCli(args, { cwd, environment });
      },
    });
    expectTranscript(document, session, now, lastingIds());
  } finally {
    await emulator.stop();
  }
});

/** The ids that the scenario and the service's catalogue have always has. */
function lastingIds(): string {
  return ['catalogue/managed-rulesets.json', `scenarios/${scenario}.json`]
    .map((file) => readFileSync(join(emulated, file), 'utf8'))
    .join('\n');
}
