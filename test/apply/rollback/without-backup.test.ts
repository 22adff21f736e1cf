import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import {
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  rulesetText,
  stateText,
} from '../../support/applied-folder';

const before = stateText(1, [resource(OLD)]);
const saveTo = 'cf-waf-migrate-backup/main-1.tfstate';

/** A state after the steps, and the backup that was taken of it. */
const after = stateText(3, [resource(RULESET)]);
const late = {
  event: 'backup' as const,
  state: 'main',
  file: 'cf-waf-migrate-backup/late.tfstate',
  sha256: createHash('sha256').update(after).digest('hex'),
  lineage: 'l',
  serial: 3,
};

describe('a rollback of a plan whose steps were carried out by somebody else', () => {
  it.each([false, true])(
    'leaves everything as it is, since the state holds what the plan declares (force: %s)',
    async (force) => {
      const { rollback, types, declared } = appliedFolder({ lost: ['backup'] });
      await expect(rollback({ force })).rejects.toMatchObject({
        code: 'STATE_CHANGED',
        message: expect.stringMatching(
          `state main \\(serial 3, planned for 1\\) holds ${RULESET}.a, and no longer holds ${OLD}.a`,
        ),
        hint: expect.stringMatching(/go on: `apply`, or plan again; .*; no flag goes over that$/),
      });
      expect([types(), declared()]).toEqual([[RULESET], ['', rulesetText]]);
    },
  );

  it.each([
    ['holds', [resource(OLD), resource(RULESET)], `holds ${RULESET}.a:`],
    ['lacks', [], `no longer holds ${OLD}.a:`],
  ])('names what the state %s', async (_name, resources, told) => {
    const { rollback, write } = appliedFolder({ lost: ['backup'] });
    write('state.json', stateText(2, resources));
    await expect(rollback()).rejects.toMatchObject({ message: expect.stringContaining(told) });
  });

  it('leaves everything as it is where the backup was taken after that', async () => {
    const { rollback, write, declared, at } = appliedFolder({
      lost: ['backup'],
      events: [late],
    });
    write(late.file, after);
    rmSync(at(saveTo));
    await expect(rollback()).rejects.toMatchObject({
      message: expect.stringContaining(`holds ${RULESET}.a, and no longer holds ${OLD}.a: with`),
      hint: expect.stringContaining('with serial 1 that its backend keeps'),
    });
    expect(declared()).toEqual(['', rulesetText]);
    // what the hint says
    write('state.json', stateText(50, [resource(OLD)]));
    await rollback();
    expect(declared()).toEqual([oldText]);
  });

  it('takes a backup that was taken after that for none where the plan imports nothing', async () => {
    const { rollback, write } = appliedFolder({
      imports: false,
      lost: ['backup'],
      events: [late],
    });
    write(late.file, after);
    await expect(rollback()).rejects.toMatchObject({
      message: expect.stringContaining(`no longer holds ${OLD}.a: with the old files`),
    });
  });

  it('puts the files back where the state is still as it was', async () => {
    const { rollback, write, declared } = appliedFolder({ lost: ['backup'] });
    write('state.json', before);
    expect(await rollback()).toEqual({ restored: ['ruleset.tf', 'main.tf'] });
    expect(declared()).toEqual([oldText]);
  });
});

describe('a rollback by a journal that has lost its tail', () => {
  it('tells of the state and its backup, and tells nobody to take the ruleset out', async () => {
    const { cli, journal, at, write } = appliedFolder({ lost: ['backup', 'file'] });
    const ran = await cli('rollback', journal, '--yes');
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(new RegExp(`holds ${RULESET}.a.*STATE_CHANGED`));
    expect(ran.stderr).toContain(
      `put ${saveTo} back first (terraform state push, its serial raised)`,
    );
    // two states of one name: each has its own copy
    const other = saveTo.replace('-1', '-1.2');
    renameSync(at(saveTo), at(other));
    write(saveTo, before.replace('"l"', '"of another"'));
    expect((await cli('rollback', journal, '--yes')).stderr).toContain(`put ${other} back first`);
    rmSync(at(other));
    const { stderr } = await cli('rollback', journal, '--yes');
    expect(stderr).toContain(
      'put the version of state main with serial 1 that its backend keeps back first',
    );
  });

  it('ends when the state was put back by hand', async () => {
    const { rollback, write, types, at } = appliedFolder({ lost: ['backup', 'file'] });
    write('main.tf', oldText);
    rmSync(at('ruleset.tf'));
    write('state.json', stateText(4, [resource(OLD)]));
    expect(await rollback()).toEqual({ restored: [] });
    expect(types()).toEqual([OLD]);
  });
});

describe('a state that is pushed', () => {
  it('is read back before the declaration of the ruleset leaves', async () => {
    const { rollback, write, declared, types, at } = appliedFolder();
    write('deaf', '');
    await expect(rollback()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining('is not as it was pushed'),
      hint: expect.stringContaining('the rollback ended in the middle'),
    });
    expect([types(), declared()]).toEqual([[RULESET], [oldText, rulesetText]]);
    rmSync(at('deaf'));
    await rollback();
    expect([types(), declared()]).toEqual([[OLD], [oldText]]);
  });
});

it('a rollback whose backup is a folder by now says that the backup is not good, and touches nothing', async () => {
  const { rollback, at, types, declared } = appliedFolder();
  rmSync(at(saveTo));
  mkdirSync(at(saveTo));
  await expect(rollback()).rejects.toMatchObject({
    code: 'BACKUP_INVALID',
    message: expect.stringMatching(/^cannot read the backup .*main-1.tfstate$/),
  });
  expect([types(), declared()]).toEqual([[RULESET], ['', rulesetText]]);
});
