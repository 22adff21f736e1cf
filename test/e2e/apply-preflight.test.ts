import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { apply, applySettings, expectMigrated, makePlan } from '../support/apply-world';
import { runCli } from '../support/run-cli';
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

  it('where the ruleset of the plan is not the live one, when credentials are there', () =>
    inWorld(applySettings, async (world) => {
      const { lab, zoneIds, state } = world;
      const given = ['--zone', zoneIds[0]!, '--ruleset-id', 'a'.repeat(32), '--dir', '.'];
      await cli(world, ['plan', ...given, '--out', 'plan.json']);
      const stopped = await apply(world);
      expect(errorOf(stopped)).toMatchObject({
        code: 'RULESET_NOT_LIVE',
        message: expect.stringContaining(world.rulesetIds[0]!),
      });
      expect(lab.read('terraform.tfstate')).toBe(state);
      const without = { CLOUDFLARE_API_TOKEN: '' };
      lab.asked();
      const waiting = await cli(world, applying, without);
      expect([waiting.code, lab.asked()]).toEqual([2, []]);
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
    const shown = await runCli(['apply', 'plan.json', '--yes'], {
      cwd: world.lab.dir,
      environment: world.lab.environment,
      terminal: true,
    });
    expect(shown.stderr).toContain(`1/${plan.steps.length} `);
  }));

describe('OpenTofu in place of terraform, by what it says of itself', () => {
  /** A binary that says it is another version, and is terraform for the rest. */
  function binary({ lab }: World, line: string): string {
    mkdirSync(join(lab.dir, 'bin'), { recursive: true });
    const path = join(lab.dir, 'bin/tofu');
    const answer = `if [ "$1" = version ]; then echo '${line}'; exit 0; fi`;
    writeFileSync(path, `#!/bin/sh\n${answer}\nexec terraform "$@"\n`, { mode: 0o755 });
    return path;
  }

  it.each([
    ['OpenTofu v1.9.1', 'OpenTofu 1.9.1 reads a resource before `removed` forgets it'],
    ['Terraform v1.6.6', 'Terraform 1.6.6 does not support `removed` blocks'],
  ])(
    '%s is refused for method blocks, at plan and at apply, before a file is edited',
    (line, words) =>
      inWorld(applySettings, async (world) => {
        const { lab, zoneIds } = world;
        await makePlan(world, 'blocks');
        const before = lab.read('main.tf');
        const flags = ['--terraform', binary(world, line)];
        const stopped = await cli(world, [...applying, ...flags]);
        expect(errorOf(stopped)).toMatchObject({
          code: 'METHOD_UNSUITABLE',
          message: expect.stringContaining(words),
        });
        expect(lab.read('main.tf')).toBe(before);
        const planned = ['plan', '--zone', zoneIds[0]!, '--from', '3', '--json', ...flags];
        const refused = await cli(world, [...planned, '--method', 'blocks']);
        expect(errorOf(refused).message).toContain(words);
      }),
  );

  it('runs commands', () =>
    inWorld(applySettings, async (world) => {
      await makePlan(world, 'removing');
      const done = await cli(world, [...applying, '--terraform', binary(world, 'OpenTofu v1.9.1')]);
      expect(done.code).toBe(0);
    }));

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
