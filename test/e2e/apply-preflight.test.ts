import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { apply, applySettings, expectMigrated, makePlan } from '../support/apply-world';
import { inWorld, type World } from '../support/world';

const cli = ({ lab }: World, args: string[], environment: Record<string, string> = {}) =>
  lab.cli(args, { environment });
const applying = ['apply', 'plan.json', '--yes', '--json'];

describe('before anything is changed, apply stops', () => {
  it('in another workspace, or with another TF_DATA_DIR; so do verify and rehearse', () =>
    inWorld(applySettings, async (world) => {
      await makePlan(world, 'removing');
      const elsewhere = [
        [{ TF_WORKSPACE: 'prod' }, 'workspace "default", but it is "prod" now'],
        [{ TF_DATA_DIR: '.other' }, 'TF_DATA_DIR "", but it is ".other" now'],
      ] as const;
      for (const [environment, words] of elsewhere) {
        for (const args of [
          applying,
          ['verify', 'plan.json', '--json'],
          ['rehearse', 'plan.json', '--json'],
        ]) {
          const stopped = await cli(world, args, environment);
          expect([stopped.code, errorOf(stopped).code]).toEqual([1, 'PLACE_CHANGED']);
          expect(errorOf(stopped).message).toContain(words);
        }
      }
      expect(world.lab.read('terraform.tfstate')).toBe(world.state);
      await world.lab.terraform('init');
      expect((await world.lab.terraform('workspace', 'new', 'prod')).code).toBe(0);
      expect(errorOf(await apply(world)).code).toBe('PLACE_CHANGED');
    }));
});

it('plans in a TF_DATA_DIR of its own, and is carried out there', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { lab, zoneIds } = world;
    const environment = { TF_DATA_DIR: '.data' };
    const init = await lab.run('env', ['TF_DATA_DIR=.data', 'terraform', 'init']);
    expect(init.code).toBe(0);
    const args = ['plan', '--zone', zoneIds[0]!, '--out', 'plan.json'];
    expect((await cli(world, args, environment)).code).toBe(0);
    expect(JSON.parse(lab.read('plan.json')).states[0].dataDir).toBe('.data');
    expect(errorOf(await apply(world)).code).toBe('PLACE_CHANGED');
    expect((await cli(world, applying, environment)).code).toBe(0);
  }));

it('with --json every step is an event, a line each', () =>
  inWorld(applySettings, async (world) => {
    const plan = await makePlan(world, 'removing');
    const done = await apply(world);
    const events = done.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['step']));
    expect(events.filter(({ status }) => status === 'done').map(({ step }) => step)).toEqual(
      plan.steps.map(({ id }) => id),
    );
    const shown = await world.lab.cli(['apply', 'plan.json', '--yes'], { terminal: true });
    expect(shown.stderr).toContain(`1/${plan.steps.length} `);
  }));

describe('OpenTofu in place of terraform, by what it says of itself', () => {
  /** The real terraform, which reports another version. */
  function binary({ lab }: World, line: string): string {
    mkdirSync(join(lab.dir, 'bin'), { recursive: true });
    const path = join(lab.dir, 'bin/tofu');
    const answer = `if [ "$1" = version ]; then echo '${line}'; exit 0; fi`;
    writeFileSync(path, `#!/bin/sh\n${answer}\nexec terraform "$@"\n`, { mode: 0o755 });
    return path;
  }

  it('a plan that was printed with it is carried out by it alone, as a script', () =>
    inWorld(applySettings, async (world) => {
      const { lab, zoneIds } = world;
      binary(world, 'OpenTofu v1.10.0');
      const args = ['plan', '--zone', zoneIds[0]!, '--dir', '.', '--format', 'sh'];
      const made = await cli(world, [...args, '--terraform', 'bin/tofu']);
      expect(made.code).toBe(0);
      lab.write('plan.sh', made.stdout);
      const commands = lab
        .read('plan.sh')
        .split('\n')
        .filter((line) => /^\s*terraform /.test(line));
      expect(commands).toEqual([]);
      const done = await lab.run('sh', ['plan.sh']);
      expect([done.code, done.stderr]).toEqual([0, '']);
      await expectMigrated(world);
    }));
});
