import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { appliedFolder, OLD, resource, stateText } from '../../support/applied-folder';

describe('a second rollback of a plan', () => {
  it('finds everything as it was, says so, and writes nothing', async () => {
    const { rollback, state, calls } = appliedFolder();
    expect((await rollback()).restored).toEqual(['ruleset.tf', 'main.tf', 'state main']);
    const { serial } = state();
    expect((await rollback()).restored).toEqual([]);
    const pushes = calls().filter(([, word]) => word === 'push');
    expect([state().serial, pushes.length]).toEqual([serial, 1]);
  });

  it('takes away what one that was killed behind its push has left', async () => {
    const { rollback, at, journal, plan } = appliedFolder();
    const killed = rollback({
      fault: (point) => {
        if (point === 'rollback-pushed') throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const left = () =>
      readdirSync(dirname(at(journal))).filter((name) => name.includes('rollback'));
    // by the plan: that of another workspace of the folder may be rolled back at the same time
    expect(left()).toEqual([`${plan.digest.slice(0, 12)}.main.rollback.tfstate`]);
    await rollback();
    expect(left()).toEqual([]);
  });

  it('puts back what a Terraform of before has written since', async () => {
    const { rollback, write, state, types } = appliedFolder({ begun: ['remove', 'import'] });
    await rollback();
    write(
      'state.json',
      stateText(state().serial + 1, [resource(OLD), resource('cloudflare_ruleset')]),
    );
    expect((await rollback()).restored).toEqual(['state main']);
    expect(types()).toEqual([OLD]);
  });

  it('tells of a file that was changed after the edit that --force keeps a copy of it', async () => {
    const { rollback, write } = appliedFolder();
    write('main.tf', 'terraform {}\n');
    await expect(rollback()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      message: expect.stringContaining('main.tf was changed since the plan edited it: by you'),
      hint: expect.stringMatching(/--force .* keeps this one as a copy among the backups/),
    });
    const { saved = [] } = await rollback({ force: true });
    expect(saved.map(({ of }) => of)).toEqual(['main.tf', 'state main']);
  });
});
