import { errorOf } from '../support/cli-over';
import { entryPoint, Lab } from '../support/finish-lab';
import { ENTERPRISE, oneZone } from '../support/zones';

let lab: Lab;
afterEach(() => lab.emulator.stop());

describe('generate, of a zone that has moved', () => {
  test.each([
    ['an entry point without rules', [entryPoint()], 'RULESET_EMPTY'],
    ['no entry point', [], 'ENTRY_POINT_MISSING'],
  ])('to %s, says so and asks for no config', async (_, rulesets, code) => {
    lab = await Lab.of(oneZone({ migration: { state: 'complete' }, rulesets }));
    const error = errorOf(await lab.cli(`generate --zone ${ENTERPRISE} --json`));
    expect(error.code).toBe(code);
    expect(error.hint).not.toContain('--source config');
    const paths = lab.emulator.requests().map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/config'))).toEqual([]);
  });
});
