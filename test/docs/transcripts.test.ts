import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/emulator';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { expectTranscript, replay, transcriptsOf } from './support/transcripts';

const emulated = join(__dirname, '../../src/emulator');

it.each(transcriptsOf('README.md'))(
  'README.md shows a session with the scenario %s as it is',
  async (scenario, session) => {
    const emulator = await startEmulator({ scenario });
    try {
      const environment = emulator.environmentOf(5);
      const now = await replay(session, {
        cwd: temporaryFolder(),
        run: (program, args, cwd) => {
          expect(program).toBe('cf-waf-migrate');
          return runCli(args, { cwd, environment });
        },
      });
      expectTranscript('README.md', session, now, lastingIds(scenario));
    } finally {
      await emulator.stop();
    }
  },
);

/** The ids that a scenario and the service's catalogue have for ever. */
function lastingIds(scenario: string): string {
  return ['catalogue/managed-rulesets.json', `scenarios/${scenario}.json`]
    .map((file) => readFileSync(join(emulated, file), 'utf8'))
    .join('\n');
}
