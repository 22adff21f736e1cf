import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySettings, expectMigrated } from '../support/apply-world';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { journalOf } from '../support/plans';
import { untilEnd } from '../support/run-process';
import { startCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';

const mirror = hostedMirror(['3.35.0']);

/** A zone whose provider is installed, and whose backend locks. */
const inLockingWorld = (use: (world: InstalledWorld) => Promise<void>): Promise<void> =>
  inInstalledWorld(mirror, { ...applySettings, backend: 'http', version: '3.35.0' }, use);

const applying = ['apply', 'plan.json', '--yes', '--json'];

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 1000) throw new Error('it does not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
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
    inLockingWorld(async (world) => {
      const { http, lab, environment } = world;
      const plan = await world.makePlan();
      http!.clearLog();
      const methods = () => http!.log().map(({ method }) => method);
      lab.emulator.setFaults([{ kind: 'slow', milliseconds: 1000 }]);
      const flags = who === 'itself' ? [] : ['--terraform', withoutExec(temporaryFolder())];
      const child = startCli([...applying, ...flags], { cwd: lab.dir, environment });
      const ended = untilEnd(child);
      // Terraform has the lock, and waits for the API
      await until(() => methods().length >= 3);
      expect(methods()).toEqual(['GET', 'LOCK', 'GET']);
      child.kill(signal);
      const stopped = await ended;
      lab.emulator.setFaults([]);
      expect([stopped.code, stopped.stderr]).toEqual([
        signal === 'SIGINT' ? 130 : 143,
        expect.stringContaining('waiting up to 30 seconds for Terraform to stop'),
      ]);
      expect(stopped.stderr).toContain('stopped; to resume, run the same command again:');
      // scripts parse each line of the events as JSON
      for (const line of stopped.stderr.trimEnd().split('\n')) JSON.parse(line);
      expect(http!.log().at(-1)).toEqual({ method: 'UNLOCK', status: 200 });
      const events = eventsOf(world, journalOf(plan)).map(({ event }) => event);
      expect(events.slice(0, 2)).toEqual(['begin', 'start']);
      expect(events.at(-1)).toBe('start');
      const again = await world.cli(applying);
      expect([again.code, again.stderr.includes('"error"')]).toEqual([0, false]);
      await expectMigrated(world);
    }),
);

it.each([
  ['rehearse', 'SIGHUP', 129, ['rehearse', 'plan.json', '--json']],
  ['apply with blocks', 'SIGINT', 130, applying],
] as const)('%s leaves no copy of a state at %s', (name, signal, code, args) =>
  inLockingWorld(async (world) => {
    const temporary = temporaryFolder();
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
    const { stderr, ...stopped } = await ended;
    expect(stopped.code).toBe(code);
    expect(stderr).toContain(
      name === 'rehearse' ? 'stopped; nothing was changed' : 'stopped; to resume, run the same',
    );
    expect(readdirSync(temporary).filter((one) => one.startsWith('cf-waf-migrate'))).toEqual([]);
  }),
);
