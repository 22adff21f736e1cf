import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../src/core/migration-error';
import { errorOf } from '../support/cli-lab';
import { journalOf } from '../support/plans';
import {
  apply,
  applySettings,
  expectMigrated,
  makePlan,
  type Method,
  stateNow,
} from '../support/apply-world';
import { type EndedProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { inWorld, type World } from '../support/world';

/** Applies in a separate process. */
const applying = (
  { lab }: World,
  flags: string[] = [],
  environment: Record<string, string> = {},
): Promise<EndedProcess> =>
  lab.spawn(['apply', 'plan.json', '--yes', '--json', ...flags], { environment });

/** The failure is reported, nothing is lost, and the next run completes. */
async function expectWayOn(world: World, failed: EndedProcess, code: string): Promise<void> {
  expect([failed.code, errorOf(failed).code]).toEqual([1, code]);
  const again = await apply(world);
  expect([again.code, again.stderr.includes('"error"')]).toEqual([0, false]);
  await expectMigrated(world);
}

/**
 * The real terraform with one fault: at its first call of a subcommand, it first runs the given shell lines, in
 * which `$@` are its arguments.
 * @returns the path of the binary
 */
function misbehavingOnce(folder: string, subcommand: string, lines: string): string {
  const bin = join(folder, 'bin');
  const path = join(bin, 'terraform');
  mkdirSync(bin, { recursive: true });
  const script = [
    '#!/bin/sh',
    `if [ "$1" = ${subcommand} ] && [ ! -e '${bin}/done' ]; then`,
    `  touch '${bin}/done'`,
    `  ${lines}`,
    'fi',
    'exec terraform "$@"',
  ];
  writeFileSync(path, `${script.join('\n')}\n`, { mode: 0o755 });
  return path;
}

describe('Terraform', () => {
  it.each<[string, string, string, Method]>([
    ['fails at the removal', 'state', '[ "$2" = rm ] && exit 1; rm "${0%/*}/done"', 'removing'],
    ['is killed when it has applied', 'apply', 'terraform "$@"; kill -9 $$', 'blocks'],
  ])('%s: the error says so, and run again it goes on', (_name, subcommand, lines, method) =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      await makePlan(world, method);
      const path = misbehavingOnce(temporaryFolder(), subcommand, lines);
      const failed = await applying(world, ['--terraform', path]);
      await expectWayOn(world, failed, 'TERRAFORM_FAILED');
    }),
  );

  it('hangs: it is stopped after the time that was given, and run again it goes on', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      await makePlan(world, 'removing');
      const path = misbehavingOnce(temporaryFolder(), 'import', 'exec sleep 600');
      const flags = ['--terraform', path, '--terraform-timeout', '1'];
      await expectWayOn(world, await applying(world, flags), 'TERRAFORM_TIMEOUT');
    }));
});

describe('the backend', () => {
  it('refuses a push: run again it resumes', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { http, state } = world;
      await makePlan(world, 'removing');
      http!.refusePush(500);
      const failed = await applying(world);
      expect(http!.state()).toBe(state);
      http!.refusePush(null);
      await expectWayOn(world, failed, 'TERRAFORM_FAILED');
    }));

  it('refuses what a saved plan did: names the state that Terraform leaves, and resumes', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { http, lab } = world;
      await makePlan(world, 'blocks');
      http!.refusePush(403);
      const failed = errorOf(await applying(world));
      expect(failed).toMatchObject({
        code: 'TERRAFORM_FAILED',
        hint: expect.stringMatching(/run the same cf-waf-migrate command again.*errored\.tfstate/),
      });
      expect(statSync(join(lab.dir, 'errored.tfstate')).mode & 0o777).toBe(0o600);
      http!.refusePush(null);
      expect((await applying(world)).code).toBe(0);
    }));

  it('is locked by another: the holder is named, and when they have left it goes on', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { http, lab, zoneIds } = world;
      const plan = `plan --zone ${zoneIds[0]!} --out plan.json -- -lock-timeout=0s`;
      expect((await lab.cli(plan)).code).toBe(0);
      const holder = '0f3a1f6e-0000-4000-8000-000000000001';
      http!.hold(holder);
      const failed = await applying(world);
      // for an http backend, Terraform 1.11 prints the id of the lock without its holder
      expect(errorOf(failed)).toMatchObject({
        message: expect.stringContaining(
          `the state is locked by another process, lock id ${holder}`,
        ),
        hint: expect.stringMatching(`^wait .* first .*:\nterraform force-unlock ${holder}$`),
      });
      http!.release();
      await expectWayOn(world, failed, 'STATE_LOCKED');
    }));

  it('gives the lock to another process while Terraform works: its state is not overwritten', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { http, state } = world;
      await makePlan(world, 'removing');
      // within the response, because later the lock could be free, and the next command would wait a minute for it
      http!.loseLock(0);
      const failed = await applying(world);
      expect(http!.state()).toBe(state);
      http!.release();
      await expectWayOn(world, failed, 'TERRAFORM_FAILED');
    }));

  it('is written by another process between two runs: its state stays, and no rollback overwrites it', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { http, lab } = world;
      const plan = await makePlan(world, 'removing');
      await lab.killAt('remove-after', ['apply', 'plan.json']);
      const nothing = { input: null, output: null, triggers_replace: null };
      const theirs = JSON.parse(http!.state()!) as { serial: number; resources: object[] };
      theirs.serial += 1;
      theirs.resources.push({
        mode: 'managed',
        type: 'terraform_data',
        name: 'theirs',
        provider: 'provider["terraform.io/builtin/terraform"]',
        instances: [{ schema_version: 0, attributes: { ...nothing, id: 'x' } }],
      });
      http!.put(JSON.stringify(theirs));
      lab.write('theirs.tf', 'resource "terraform_data" "theirs" {}\n');
      const again = await apply(world);
      expect(again.code).toBe(0);
      const { resources } = stateNow(world);
      expect(resources.map(({ name }) => name).sort()).toEqual(['managed_rules', 'theirs']);
      const journal = journalOf(plan);
      const refused = await lab.spawn(['rollback', journal, '--yes', '--json']);
      expect(errorOf(refused).code).toBe('STATE_CHANGED');
    }));
});

/** In a separate mount namespace, so that mounts end with the process. */
const inNamespace = (lines: string): string =>
  `exec unshare --map-root-user --mount sh -c '${lines}' sh "$@"`;

describe('the folder', () => {
  it('is read-only: nothing is changed, and when it is not it goes on', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { http, lab } = world;
      await makePlan(world, 'removing');
      http!.clearLog();
      const lines = `mount --bind "${lab.dir}" "${lab.dir}" && mount -o remount,bind,ro "${lab.dir}" && cd "${lab.dir}" && exec "$@"`;
      const failed = await lab.spawn(['apply', 'plan.json', '--yes', '--json'], {
        through: inNamespace(lines),
      });
      expect(http!.writes()).toBe(0);
      await expectWayOn(world, failed, 'FILE_UNWRITABLE');
    }));

  /** Runs on a separate disk with this much free space, then copies the folder back. */
  async function onDisk(world: World, free: number, flags: string[] = []): Promise<EndedProcess> {
    const { lab } = world;
    const [disk, after] = [temporaryFolder(), temporaryFolder()];
    const lines = [
      `used=$(cd "${lab.dir}" && find . -type f -exec du -k --apparent-size {} + | awk "{ s += int((\\$1 + 3) / 4) * 4 } END { print s }")`,
      `mount -t tmpfs -o size=$((used + ${free}))k tmpfs "${disk}" && cp -r "${lab.dir}/." "${disk}" && cd "${disk}"`,
      '"$@"; code=$?',
      `rm -f fill; cp -r . "${after}"; exit $code`,
    ];
    const run = await lab.spawn(['apply', 'plan.json', '--yes', '--json', ...flags], {
      through: inNamespace(lines.join('; ')),
    });
    cpSync(after, lab.dir, { recursive: true });
    return run;
  }

  it('is writable, and the one for temporary files is not there: nothing is changed', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      await makePlan(world, 'removing');
      world.http!.clearLog();
      const failed = await applying(world, [], { TMPDIR: join(world.lab.dir, 'nowhere') });
      expect(errorOf(failed).message).toContain('cannot make a temporary folder in');
      expect(world.http!.writes()).toBe(0);
      await expectWayOn(world, failed, 'FILE_UNWRITABLE');
    }));

  it('has 8 KiB left: nothing is lost, and with space it goes on', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      await makePlan(world, 'removing');
      const full = await onDisk(world, 8);
      expect(full.code).toBe(1);
      expect(['FILE_UNWRITABLE', 'TERRAFORM_FAILED', 'STATE_INVALID']).toContain(
        errorOf(full).code,
      );
      if (attempt(() => JSON.parse(lab.read('terraform.tfstate')) as unknown) === undefined) {
        // Terraform writes a local state in place: the error names the complete copy
        expect(errorOf(full)).toMatchObject({
          hint: expect.stringContaining('restore the last complete one from a backup'),
        });
        const backups = join(lab.dir, 'cf-waf-migrate-backup');
        const whole = readdirSync(backups).find((name) => name.endsWith('.tfstate'))!;
        expect(readFileSync(join(backups, whole), 'utf8').trimEnd()).toBe(world.state.trimEnd());
        cpSync(join(backups, whole), join(lab.dir, 'terraform.tfstate'));
      }
      const again = await apply(world);
      expect([again.code, again.stderr.includes('"error"')]).toEqual([0, false]);
      await expectMigrated(world);
    }));
});
