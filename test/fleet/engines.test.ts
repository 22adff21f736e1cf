import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { parse } from 'yaml';
import { cliWithEmulator } from '../cli/support/cli-with-emulator';
import { environmentOf } from '../support/cli-over';
import { fleetScenario, zoneId } from '../cli/support/fleet-scenario';
import { main, untilEnd } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';

const COUNT = 60;
const examples = join(__dirname, '../../docs/examples');
const read = (file: string): any => parse(readFileSync(join(examples, file), 'utf8'));
const job = read('kubernetes-indexed-job.yaml');
const workflow = read('github-actions.yml');

const cli = cliWithEmulator(fleetScenario({ count: COUNT, blocked: (number) => number === 5 }));

/** A machine on which the tool is installed, and the list lies in the working directory. */
function machine() {
  const cwd = temporaryFolder();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(bin, 'cf-waf-migrate'), script, { mode: 0o755 });
  const ids = Array.from({ length: COUNT }, (_, number) => zoneId(number));
  writeFileSync(join(cwd, 'zones.csv'), `zone_id\n${ids.join('\n')}\n`);
  const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  const service = environmentOf(cli.emulator());
  const sh = (argv: string[], environment: Record<string, string>) =>
    untilEnd(
      spawn(argv[0]!, argv.slice(1), {
        cwd,
        env: { ...service, ...environment, PATH: path },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  return { cwd, sh };
}

const entries = (cwd: string, file: string): unknown[] =>
  readFileSync(join(cwd, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ ...JSON.parse(line), at: undefined }));

/** What one run over all zones comes to, as `fleet merge` writes it. */
async function ofOneRun({ cwd, sh }: ReturnType<typeof machine>): Promise<unknown[]> {
  await sh(['cf-waf-migrate', 'check', '--zones', 'zones.csv', '--ledger', 'one.jsonl'], {});
  await sh(['cf-waf-migrate', 'fleet', 'merge', '--ledger', 'one.jsonl', '--out', 'one'], {});
  return entries(cwd, 'one');
}

describe('the indexed job for Kubernetes', () => {
  const { spec } = job;
  const [container] = spec.template.spec.containers;

  it('is a Job of batch/v1 by the schema of Kubernetes', () => {
    expect([job.apiVersion, job.kind]).toEqual([Job.apiVersion, Job.kind]);
    expect(() => {
      new Job(job).validate();
    }).not.toThrow();
    // the schema is one that says no
    expect(() => {
      new Job({ ...job, spec: { ...spec, completions: 'four' } }).validate();
    }).toThrow(/completions/);
  });

  it('has an index for each shard, and its parts refer to each other', () => {
    const value = (name: string) => container.env.find((one: any) => one.name === name).value;
    expect([spec.completionMode, String(spec.completions)]).toEqual(['Indexed', value('SHARDS')]);
    expect(spec.template.spec.restartPolicy).toBe('Never');
    expect(spec.podFailurePolicy.rules[0].onExitCodes.containerName).toBe(container.name);
    const volumes = spec.template.spec.volumes.map(({ name }: any) => name);
    expect(container.volumeMounts.map(({ name }: any) => name).toSorted()).toEqual(
      volumes.toSorted(),
    );
  });

  it('does all zones with the very command of its pods, one shard each', async () => {
    const { cwd, sh } = machine();
    const command = [...container.command, ...container.args];
    const pods = Array.from({ length: spec.completions }, (_, index) =>
      sh(command, { JOB_COMPLETION_INDEX: String(index), SHARDS: '4', ZONES: 'zones.csv' }),
    );
    for (const { code, stderr } of await Promise.all(pods))
      expect([code, stderr]).toEqual([0, expect.any(String)]);
    const shards = [1, 2, 3, 4].map((shard) => `ledger-${shard}.jsonl`);
    await sh(['cf-waf-migrate', 'fleet', 'merge', '--ledger', ...shards, '--out', 'all'], {});
    expect(entries(cwd, 'all')).toEqual(await ofOneRun({ cwd, sh }));
    expect(entries(cwd, 'all')).toHaveLength(COUNT + 2);
  }, 60_000);

  it('fails for good where to try again does not help', async () => {
    const { sh } = machine();
    const command = [...container.command, ...container.args];
    const environment = { JOB_COMPLETION_INDEX: '9', SHARDS: '4', ZONES: 'zones.csv' };
    const { code } = await sh(command, environment);
    expect(spec.podFailurePolicy.rules[0].onExitCodes.values).toContain(code);
  });
});

describe('the matrix for GitHub Actions', () => {
  it('does all zones with the very commands of its steps, and ends in one page', async () => {
    const { cwd, sh } = machine();
    const { check, page } = workflow.jobs;
    const step = (of: any, id: string): string => of.steps.find((one: any) => one.id === id).run;
    // as the runner does: expressions are filled in, and the script stops at the first failure
    const runs = check.strategy.matrix.shard.map((shard: number) => {
      const script = step(check, 'run').replaceAll('${{ matrix.shard }}', String(shard));
      return sh(['bash', '-e', '-c', script], { SHARDS: String(check.env.SHARDS) });
    });
    for (const { code } of await Promise.all(runs)) expect(code).toBe(0);
    const { code } = await sh(['bash', '-e', '-c', step(page, 'merge')], {});
    expect(code).toBe(0);
    expect(entries(cwd, 'ledger.jsonl')).toEqual(await ofOneRun({ cwd, sh }));
    expect(readFileSync(join(cwd, 'zones.html'), 'utf8')).toContain(`Where ${COUNT} zones stand`);
    expect(check.strategy.matrix.shard).toHaveLength(check.env.SHARDS);
  }, 60_000);
});
