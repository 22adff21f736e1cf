import { errorOf } from '../support/cli-lab';
import { apply, applySettings, makePlan } from '../support/apply-world';
import { inWorld } from '../support/world';

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

it('plans in a TF_DATA_DIR of its own, and is carried out there', () =>
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
