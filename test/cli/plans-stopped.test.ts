import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { startCli } from '../support/spawn-cli';
import { untilEnd } from '../support/run-process';
import { planDir, works } from './support/plan-dir';

it('a run over plans whose Terraform is waited for says at its end how it goes on', async () => {
  const { cwd, stderr } = await planDir(works, {
    args: ['--dir', 'tf', '--from', '3.35.0', '--format', 'json', '--out', 'a.plan.json'],
  });
  expect(stderr).toBe('wrote a.plan.json\n');
  writeFileSync(join(cwd, 'zones.txt'), ZONE);
  const waits = `trap 'exit 1' INT; touch '${cwd}/up'; while :; do sleep 0.1; done`;
  const { searchPath } = fakeTerraform(cwd, waits);
  const environment = { PATH: searchPath, TF_WORKSPACE: 'prod' };
  const child = startCli(['verify', 'a.plan.json', '--zones', 'zones.txt'], { cwd, environment });
  const ended = untilEnd(child);
  while (!existsSync(join(cwd, 'up'))) await sleep(5);
  child.kill('SIGINT');
  const run = await ended;
  expect(run.code).toBe(130);
  expect(run.stderr).toMatch(
    /: failed: .* was interrupted\nstopped: the same command does all anew; cf-waf-migrate fleet status --ledger .* shows where it stands\n$/,
  );
});
