import { readFileSync } from 'node:fs';
import { type Method } from '../../../src/plan/plan';
import { appliedFolder, resource, RULESET, stateText } from '../../support/applied-folder';

describe('a binary that does not say which version it is', () => {
  const applying = (method: Method) => {
    const folder = appliedFolder({ method });
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('state.json', stateText(3, [resource(RULESET)]));
    return { ...folder, apply: () => folder.cli('apply', 'plan.json', '--yes', '--json') };
  };

  it('is refused where blocks are to be applied, before a step is begun', async () => {
    const { apply, at, journal } = applying('blocks');
    const before = readFileSync(at(journal), 'utf8');
    const { code, stderr } = await apply();
    expect([code, JSON.parse(stderr)]).toEqual([
      1,
      {
        error: expect.objectContaining({
          code: 'METHOD_UNSUITABLE',
          message: expect.stringContaining('which version the binary is cannot be told'),
        }),
      },
    ]);
    expect(readFileSync(at(journal), 'utf8')).toBe(before);
  });

  it('carries commands out', async () => {
    expect((await applying('commands').apply()).code).toBe(0);
  });
});
