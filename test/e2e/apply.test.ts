import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import {
  apply,
  errorOf,
  applySettings as settings,
  changeLiveRuleset,
  expectMigrated,
  makePlan,
  type Method,
  rollback,
  stateNow,
} from '../support/apply-world';
import { inWorld, type World } from '../support/world';

describe.each<Method>(['commands', 'removing', 'blocks'])('apply, order %s', (method) => {
  it.each(['local', 'http'] as const)(
    'migrates on the %s backend, and rolls back byte for byte',
    (backend) =>
      inWorld({ ...settings, backend }, async (world) => {
        const { lab } = world;
        const before = { text: lab.read('main.tf'), state: stateNow(world) };
        await makePlan(world, method);
        const applied = await apply(world);
        expect([applied.code, applied.stderr.includes('error')]).toEqual([0, false]);
        await expectMigrated(world);
        const { journal, backup } = JSON.parse(applied.stdout);
        expect(statSync(join(lab.dir, backup[0])).mode & 0o777).toBe(0o600);

        const again = await apply(world);
        expect(
          JSON.parse(again.stdout).steps.every(({ status }: any) => status !== 'waiting'),
        ).toBe(true);

        const back = await rollback(world, journal);
        expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
        expect(lab.read('main.tf')).toBe(before.text);
        expect(lab.read('managed_rules.tf')).toBe('');
        const after = stateNow(world);
        expect(after.resources).toEqual(before.state.resources);
        expect(after.lineage).toBe(before.state.lineage);
        expect(after.serial).toBeGreaterThan(before.state.serial);
      }),
  );
});

it('leaves a journal of whole lines', () =>
  inWorld(settings, async (world) => {
    const plan = await makePlan(world, 'removing');
    await apply(world);
    const path = `cf-waf-migrate-backup/${plan.digest.slice(0, 12)}.journal.jsonl`;
    const lines = readFileSync(join(world.lab.dir, path), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(
      expect.arrayContaining(['begin', 'backup', 'file', 'start', 'done']),
    );
  }));

describe('a rehearsal', () => {
  const rehearse = ({ lab }: World) =>
    runCli(['rehearse', 'plan.json', '--json'], { cwd: lab.dir, environment: lab.environment });

  it.each<Method>(['commands', 'removing', 'blocks'])(
    'of order %s proves the empty plan and writes nothing',
    (method) =>
      inWorld({ ...settings, backend: 'http' }, async (world) => {
        const { lab, http } = world;
        await makePlan(world, method);
        const files = readdirSync(lab.dir, { recursive: true }).map(String).sort();
        const contents = () =>
          files
            .filter((file) => statSync(join(lab.dir, file)).isFile())
            .map((file) => readFileSync(join(lab.dir, file), 'utf8'));
        const texts = contents();
        http!.clearLog();
        lab.asked();
        const done = await rehearse(world);
        expect([done.code, JSON.parse(done.stdout).verdict]).toEqual([0, 'clean']);
        expect(new Set(http!.log().map(({ method: verb }) => verb))).toEqual(new Set(['GET']));
        expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
        expect(readdirSync(lab.dir, { recursive: true }).map(String).sort()).toEqual(files);
        expect(contents()).toEqual(texts);
      }),
  );

  it('of a plan that would change the entry point is dirty, and says what differs', () =>
    inWorld(settings, async (world) => {
      await makePlan(world, 'blocks');
      await changeLiveRuleset(world);
      const done = await rehearse(world);
      const { verdict, changes } = JSON.parse(done.stdout);
      expect([done.code, verdict]).toEqual([2, 'dirty']);
      expect(changes[0]).toMatchObject({ address: 'cloudflare_ruleset.managed_rules' });
    }));
});

describe('a rollback', () => {
  it('stops where somebody else has written since, and goes on when it is told to', () =>
    inWorld(settings, async (world) => {
      const { lab } = world;
      await makePlan(world, 'removing');
      const { journal } = JSON.parse((await apply(world)).stdout);
      await lab.terraform(
        'state',
        'mv',
        'cloudflare_ruleset.managed_rules',
        'cloudflare_ruleset.mine',
      );
      const refused = await rollback(world, journal);
      expect([refused.code, refused.stderr.includes('STATE_CHANGED')]).toEqual([1, true]);
      const forced = await runCli(['rollback', journal, '--yes', '--force'], {
        cwd: lab.dir,
        environment: lab.environment,
      });
      expect([forced.code, forced.stderr.includes('error')]).toEqual([0, false]);
      expect((await lab.terraform('state', 'list')).stdout).not.toContain('cloudflare_ruleset');
    }));

  it('stops where a backup is not as it was written', () =>
    inWorld(settings, async (world) => {
      await makePlan(world, 'removing');
      const { journal, backup } = JSON.parse((await apply(world)).stdout);
      world.lab.write(backup[0], '{}');
      const refused = await rollback(world, journal);
      expect([refused.code, refused.stderr.includes('BACKUP_INVALID')]).toEqual([1, true]);
    }));
});

describe('apply stops before anything is changed', () => {
  it('when the state was written since the plan was made', () =>
    inWorld(settings, async (world) => {
      await makePlan(world, 'removing');
      await world.lab.terraform('state', 'rm', world.addresses[0]!);
      const stopped = await apply(world);
      expect(stopped.code).toBe(1);
      expect(errorOf(stopped).code).toBe('STATE_CHANGED');
    }));

  it('when a file was changed since the plan was made', () =>
    inWorld(settings, async (world) => {
      await makePlan(world, 'blocks');
      world.lab.write('main.tf', `${world.lab.read('main.tf')}\n# mine\n`);
      const stopped = await apply(world);
      expect(errorOf(stopped).code).toBe('CONFIG_CHANGED');
      expect(world.lab.read('managed_rules.tf')).toBe('');
    }));

  it('when Terraform would change the entry point, and the service sees no write', () =>
    inWorld(settings, async (world) => {
      await makePlan(world, 'blocks');
      const { lab } = world;
      await changeLiveRuleset(world);
      lab.asked();
      const stopped = await apply(world);
      expect(errorOf(stopped).code).toBe('PLAN_NOT_EMPTY');
      expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
    }));

  it('when another run carries the same plan out', () =>
    inWorld(settings, async (world) => {
      const plan = await makePlan(world, 'removing');
      mkdirSync(join(world.lab.dir, 'cf-waf-migrate-backup'));
      const lock = `cf-waf-migrate-backup/${plan.digest.slice(0, 12)}.journal.jsonl.lock`;
      writeFileSync(join(world.lab.dir, lock), String(process.ppid));
      const stopped = await apply(world);
      expect(errorOf(stopped).code).toBe('APPLY_RUNNING');
    }));
});
