import { mkdtempSync, readdirSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { applySettings } from '../support/apply-world';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { journalOf } from '../support/plans';
import { type Mirror, buildHostedMirror, buildMirror } from '../support/provider/mirror';
import { temporaryFolder } from '../support/temporary-folder';
import { untilEnd } from '../support/run-process';
import { startCli } from '../support/spawn-cli';
import { posixQuote } from '../../src/core/posix-quote';
import { type Lab } from '../support/lab';

/** The fault of a provider at its next request: it is killed, or takes two seconds. */
type Misbehaviour = 'kill' | 'wait';

const marker = 'misbehave';

/** Runs in the provider, before anything else: Terraform starts it in the folder of the configuration. */
const prelude = `const http = require('node:http');
const { existsSync, readFileSync, unlinkSync } = require('node:fs');
const request = http.request;
http.request = (...args) => {
  if (existsSync('${marker}')) {
    const how = readFileSync('${marker}', 'utf8');
    unlinkSync('${marker}');
    if (how === 'kill') process.kill(process.pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  }
  return request(...args);
};
`;

/**
 * Builds a mirror of providers that can misbehave. Terraform starts these as separate processes; the test
 * process serves the others, which is faster.
 */
async function buildFragileMirror(dir: string, versions: string[]): Promise<Mirror> {
  const [real, quick] = [join(dir, 'real'), join(dir, 'quick')];
  buildMirror(real, versions);
  const mirror = await buildHostedMirror(quick, versions);
  for (const file of readdirSync(quick, { recursive: true, encoding: 'utf8' })) {
    if (!/terraform-provider-cloudflare_v[\d.]+$/.test(file)) continue;
    insert(join(real, file), prelude);
    insert(join(quick, file), `[ -e ${marker} ] && exec ${posixQuote(join(real, file))} "$@"\n`);
  }
  return mirror;
}

/** After the first line, which names the interpreter. */
function insert(path: string, lines: string): void {
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('\n', () => `\n${lines}`),
  );
}

/** Makes the provider misbehave once, at its next request; returns whether it did. */
function misbehave(lab: Lab, how: Misbehaviour): () => boolean {
  lab.write(marker, how);
  return () => lab.read(marker) === '';
}

let folder: string;
let mirror: Mirror;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  mirror = await buildFragileMirror(folder, ['3.35.0']);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A zone whose provider can misbehave, and whose backend locks. */
const inFragileWorld = (use: (world: InstalledWorld) => Promise<void>): Promise<void> =>
  inInstalledWorld(mirror, { ...applySettings, backend: 'http', version: '3.35.0' }, use);

const applying = ['apply', 'plan.json', '--yes', '--json'];

function starting({ lab, environment }: InstalledWorld, flags: readonly string[] = []) {
  const child = startCli([...applying, ...flags], { cwd: lab.dir, environment });
  return { child, ended: untilEnd(child) };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 1000) throw new Error('it does not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The next run has the same result as an undisturbed run. */
async function expectWayOn(world: InstalledWorld): Promise<void> {
  const again = await world.cli(applying);
  expect([again.code, again.stderr.includes('"error"')]).toEqual([0, false]);
  const listed = (await world.run('state', 'list')).stdout.trim();
  expect(listed).toBe('cloudflare_ruleset.managed_rules');
  expect((await world.run('plan', '-detailed-exitcode')).code).toBe(0);
  expect(world.lab.read('main.tf')).not.toContain('cloudflare_waf_');
}

/** The events of a journal; every line must be complete. */
const eventsOf = ({ lab }: InstalledWorld, journal: string): { event: string }[] =>
  lab
    .read(journal)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });

/** The real terraform behind a shell that keeps running, as in a wrapper without `exec`. */
function withoutExec(folder: string): string {
  const path = join(folder, 'wrapped-terraform');
  writeFileSync(path, '#!/bin/sh\nterraform "$@"\nexit $?\n', { mode: 0o755 });
  return path;
}

it.each([
  ['SIGINT', 'itself'],
  ['SIGTERM', 'behind a wrapper without exec'],
] as const)(
  '%s while Terraform, %s, holds the lock: it is given back, the journal is whole, and it goes on',
  (signal, who) =>
    inFragileWorld(async (world) => {
      const { http, lab } = world;
      const plan = await world.makePlan();
      http!.clearLog();
      const hasBegun = misbehave(lab, 'wait');
      const flags = who === 'itself' ? [] : ['--terraform', withoutExec(temporaryFolder())];
      const { child, ended } = starting(world, flags);
      await until(() => hasBegun());
      // Terraform has the lock, and waits for its provider
      expect(http!.log().map(({ method }) => method)).toEqual(['GET', 'LOCK', 'GET']);
      child.kill(signal);
      const stopped = await ended;
      expect([stopped.code, stopped.stderr]).toEqual([
        signal === 'SIGINT' ? 130 : 143,
        expect.stringContaining('waiting up to 30 seconds for Terraform to stop'),
      ]);
      // scripts parse each line of the events as JSON
      for (const line of stopped.stderr.trimEnd().split('\n')) JSON.parse(line);
      expect(http!.log().at(-1)).toEqual({ method: 'UNLOCK', status: 200 });
      const events = eventsOf(world, journalOf(plan)).map(({ event }) => event);
      expect(events.slice(0, 2)).toEqual(['begin', 'start']);
      expect(events.at(-1)).toBe('start');
      await expectWayOn(world);
    }),
);

it.each([
  ['rehearse', 'SIGHUP', 129, ['rehearse', 'plan.json', '--json']],
  ['apply with blocks', 'SIGINT', 130, applying],
] as const)('%s leaves no copy of a state at %s', (name, signal, code, args) =>
  inFragileWorld(async (world) => {
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    await world.makePlan(...(name === 'rehearse' ? [] : ['--method', 'blocks']));
    // while a copy or a saved plan exists
    const isThere = (): boolean =>
      readdirSync(temporary, { recursive: true, encoding: 'utf8' }).some((file) =>
        /cf-waf-migrate-[^/]*(\/plan|\/tree\/terraform\.tfstate)$/.test(file),
      );
    const environment = { ...world.environment, TMPDIR: temporary };
    const child = startCli([...args], { cwd: world.lab.dir, environment });
    const ended = untilEnd(child);
    await until(isThere);
    child.kill(signal);
    expect((await ended).code).toBe(code);
    expect(readdirSync(temporary).filter((one) => one.startsWith('cf-waf-migrate'))).toEqual([]);
  }),
);

it('a provider that is killed leaves the state unchanged and unlocked; run again it resumes', () =>
  inFragileWorld(async (world) => {
    const { http, lab, state } = world;
    await world.makePlan('--method', 'blocks');
    const hasCrashed = misbehave(lab, 'kill');
    const failed = await world.cli(applying);
    expect([failed.code, errorOf(failed).code, hasCrashed()]).toEqual([
      1,
      'TERRAFORM_FAILED',
      true,
    ]);
    expect(http!.state()).toBe(state);
    expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
    await expectWayOn(world);
  }));
