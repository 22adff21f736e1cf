import { errorOf } from '../support/cli-lab';
import { apply, applySettings, makePlan } from '../support/apply-world';
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
