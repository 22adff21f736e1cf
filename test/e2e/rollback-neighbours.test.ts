import { apply, rollback, stateNow } from '../support/apply-world';
import { planOnce } from '../support/plans';
import { addRulesetOfThree, OTHER } from '../support/provider3-ruleset';
import { inWorld } from '../support/world';

const errorsOf = ({ stderr }: { stderr: string }): string =>
  stderr
    .split('\n')
    .filter((line) => line.includes('"error"'))
    .join();

/** The entry of the neighbouring ruleset. */
const neighbour = (state: ReturnType<typeof stateNow>): unknown =>
  state.resources.find(({ type, name }) => `${type}.${name}` === OTHER);

describe('a rollback after an import rewrote the ruleset of another zone', () => {
  it.each([
    { installed: 4, writtenBy: 3 },
    { installed: 5, writtenBy: 4 },
  ] as const)(
    'restores the state: provider $installed, entry of provider $writtenBy',
    ({ installed, writtenBy }) =>
      inWorld({ rules: { '100000': 'disable' }, zones: 2, major: installed }, async (world) => {
        addRulesetOfThree(world, installed, writtenBy);
        const before = stateNow(world);
        await planOnce(world, ['--from', String(installed)], world.lab.environment, [0]);
        const applied = await apply(world);
        expect([applied.code, errorsOf(applied)]).toEqual([0, '']);
        expect(neighbour(stateNow(world))).not.toEqual(neighbour(before));

        const back = await rollback(world, JSON.parse(applied.stdout).journal);
        expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
        expect(stateNow(world).resources).toEqual(before.resources);
      }),
  );
});
