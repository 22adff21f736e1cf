import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fleetScenario, zoneName } from '../cli/support/fleet-scenario';
import { expectTranscript, type Place, replay, transcriptsOf } from '../docs/support/transcripts';
import { applySettings } from '../support/apply-world';
import { linkPackages, plainEnvironment } from '../support/cdktf-project';
import { inInstalledWorld } from '../support/installed-world';
import { inLab, type Lab } from '../support/lab';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const installed = join(__dirname, '../../node_modules');
let mirror: Mirror;
beforeAll(async () => {
  mirror = await buildHostedMirror(temporaryFolder(), ['3.35.0']);
});

/** A folder, and the programs that a session there may run. */
function placeOf({ dir }: Lab, environment: Record<string, string>): Place {
  const own = plainEnvironment(environment);
  const path = `${join(installed, '.bin')}${delimiter}${own['PATH'] ?? ''}`;
  const env = { ...own, PATH: path, TF_CLI_ARGS: '-no-color', NO_COLOR: '1' };
  return {
    cwd: dir,
    settle: (said) =>
      said
        .replaceAll(/^.*: (Refreshing state|Preparing import)\.\.\. .*\n/gm, '')
        .replaceAll(/\d+(\.\d+)? m?s\b/g, '… s'),
    run: async (program, args, cwd) => {
      if (program !== 'cf-waf-migrate') return runProcess(program, args, { cwd, env });
      const ran = await runCli(args, { cwd, environment });
      if (args.includes('--project')) linkPackages(join(cwd, args.at(-1)!));
      return ran;
    },
  };
}

/** Hands each place to its session. */
const places: Record<string, (use: (place: Place) => Promise<void>) => Promise<void>> = {
  moved: (use) =>
    inInstalledWorld(
      mirror,
      { ...applySettings, version: '3.35.0', backend: 'http' },
      ({ lab, environment }) => use(placeOf(lab, environment)),
    ),
  'pull-request': (use) =>
    inInstalledWorld(
      mirror,
      { ...applySettings, version: '3.35.0', backend: 'http' },
      async ({ lab, environment }) => {
        const place = placeOf(lab, environment);
        lab.write('.gitignore', '.terraform/\n*tfplan*\nplan.*\n');
        const author = ['-c', 'user.name=she', '-c', 'user.email=she@example.com'];
        await place.run('git', ['init', '-q'], lab.dir);
        await place.run('git', ['add', '.'], lab.dir);
        await place.run('git', [...author, 'commit', '-qm', 'As it was'], lab.dir);
        await use(place);
      },
    ),
  'not-moved': (use) =>
    inLab({ major: 5, scenario: 'enterprise' }, (lab) => use(placeOf(lab, lab.environment))),
  fleet: (use) => {
    const scenario = fleetScenario({
      count: 6,
      moved: (number) => number > 3,
      blocked: (number) => number === 2,
    });
    return inLab({ major: 5, scenario }, (lab) => {
      const names = [0, 1, 2, 3, 4, 5].map(zoneName);
      writeFileSync(join(lab.dir, 'zones.txt'), `# ours\n${names.join('\n')}\n`);
      return use(placeOf(lab, lab.environment));
    });
  },
};

it.each(transcriptsOf('docs/journeys.md'))(
  'docs/journeys.md shows the session of %s as it is',
  (where, session) =>
    places[where]!(async (place) => {
      const now = await replay(session, place);
      expectTranscript('docs/journeys.md', session, now);
    }),
  120_000,
);
