import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { cliWithEmulator, environmentOf } from '../support/cli-lab';
import { fleetScenario, zoneId } from '../cli/support/fleet-scenario';
import { main } from '../support/spawn-cli';
import { untilEnd } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const COUNT = 60;
const example = join(__dirname, '../../docs/examples/github-actions.yml');
const { check } = parse(readFileSync(example, 'utf8')).jobs;

const cli = cliWithEmulator(fleetScenario({ count: COUNT, blocked: (number) => number === 5 }));

it('the example for GitHub Actions checks all zones with the commands of its steps, and writes the page', async () => {
  const cwd = temporaryFolder();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(bin, 'cf-waf-migrate'), script, { mode: 0o755 });
  const ids = Array.from({ length: COUNT }, (_, number) => zoneId(number));
  writeFileSync(join(cwd, 'zones.csv'), `zone_id\n${ids.join('\n')}\n`);
  const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  for (const id of ['check', 'page']) {
    const { run } = check.steps.find((step: any) => step.id === id);
    // the runner stops a script at the first failure
    const ran = await untilEnd(
      spawn('bash', ['-e', '-c', run], {
        cwd,
        env: { ...environmentOf(cli.emulator()), PATH: path },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    expect([id, ran.code]).toEqual([id, 0]);
  }
  expect(readFileSync(join(cwd, 'zones.html'), 'utf8')).toContain(
    `<title>Migration of ${COUNT} zones</title>`,
  );
}, 300_000);
