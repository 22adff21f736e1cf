import { cpSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { journalOf } from '../support/plans';
import { apply, applySettings, expectMigrated, makePlan, stateNow } from '../support/apply-world';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { inWorld } from '../support/world';

describe('a folder that moved', () => {
  it('as a whole, with its plan: before apply, and before the rollback', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab } = world;
      const before = { text: lab.read('main.tf'), state: stateNow(world) };
      const plan = await makePlan(world, 'removing');
      const elsewhere = join(temporaryFolder(), 'elsewhere');
      cpSync(lab.dir, elsewhere, { recursive: true });
      const away = `${lab.dir}-away`;
      renameSync(lab.dir, away);
      try {
        const options = { cwd: elsewhere, environment: lab.environment };
        const applied = await runCli(['apply', 'plan.json', '--yes'], options);
        expect([applied.code, applied.stderr.includes('error')]).toEqual([0, false]);
        const third = join(temporaryFolder(), 'third');
        renameSync(elsewhere, third);
        const journal = journalOf(plan);
        const back = await runCli(['rollback', join(third, journal), '--yes'], {
          ...options,
          cwd: dirname(third),
        });
        expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
        cpSync(third, away, { recursive: true });
      } finally {
        renameSync(away, lab.dir);
      }
      expect(lab.read('main.tf')).toBe(before.text);
      expect(stateNow(world).resources).toEqual(before.state.resources);
    }));

  // test/apply/preflight-states.test.ts refuses a plan whose folder has no state
  it('is refused where its journal alone was copied: nothing is changed', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab } = world;
      await makePlan(world, 'removing');
      const { journal } = JSON.parse((await apply(world)).stdout) as { journal: string };
      const alone = temporaryFolder({ [journal]: lab.read(journal) });
      const text = lab.read('main.tf');
      const back = await lab.cli(`rollback ${join(alone, journal)} --yes --json`, { cwd: alone });
      expect([back.code, errorOf(back).code]).toEqual([1, 'FILE_UNREADABLE']);
      expect(lab.read('main.tf')).toBe(text);
      await expectMigrated(world);
    }));
});

const applying = 'apply plan.json --yes --json';

it('apply, verify and rehearse stop in another workspace, or with another TF_DATA_DIR', () =>
  inWorld(applySettings, async (world) => {
    const { lab, state } = world;
    await makePlan(world, 'removing');
    const elsewhere = [
      [{ TF_WORKSPACE: 'prod' }, 'workspace "default", but it is "prod" now'],
      [{ TF_DATA_DIR: '.other' }, 'TF_DATA_DIR "", but it is ".other" now'],
    ] as const;
    for (const [environment, words] of elsewhere) {
      for (const line of [applying, 'verify plan.json --json', 'rehearse plan.json --json']) {
        const stopped = await lab.cli(line, { environment });
        expect([stopped.code, errorOf(stopped).code]).toEqual([1, 'PLACE_CHANGED']);
        expect(errorOf(stopped).message).toContain(words);
      }
    }
    expect(lab.read('terraform.tfstate')).toBe(state);
    await lab.terraform('init');
    expect((await lab.terraform('workspace', 'new', 'prod')).code).toBe(0);
    expect(errorOf(await apply(world)).code).toBe('PLACE_CHANGED');
  }));

it('plans and applies in a TF_DATA_DIR', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { lab, zoneIds } = world;
    const environment = { TF_DATA_DIR: '.data' };
    const init = await lab.run('env', ['TF_DATA_DIR=.data', 'terraform', 'init']);
    expect(init.code).toBe(0);
    const plan = `plan --zone ${zoneIds[0]!} --out plan.json`;
    expect((await lab.cli(plan, { environment })).code).toBe(0);
    expect(JSON.parse(lab.read('plan.json')).states[0].dataDir).toBe('.data');
    expect(errorOf(await apply(world)).code).toBe('PLACE_CHANGED');
    expect((await lab.cli(applying, { environment })).code).toBe(0);
  }));
