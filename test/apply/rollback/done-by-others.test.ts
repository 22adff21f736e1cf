import {
  type Applied,
  appliedFolder,
  OLD,
  plannedZone,
  oldText,
  resource,
  RULESET,
  rulesetText,
  stateText,
} from '../../support/applied-folder';

describe('a rollback of a plan whose next steps somebody else has carried out', () => {
  it.each<[string, Applied['begun'], string]>([
    ['none of them was begun', [], `holds ${RULESET}.a, and no longer holds ${OLD}.a`],
    ['the removal was not', ['import'], `no longer holds ${OLD}.a`],
    ['the import was not', ['remove'], `holds ${RULESET}.a`],
  ])('leaves everything as it is where %s, and says how to go on', async (_name, begun, told) => {
    const { rollback, types, declared } = appliedFolder({ ...(begun && { begun }) });
    await expect(rollback()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: `state main was written by somebody else since the backup: it ${told}, and the journal has begun no step that does so`,
      hint: expect.stringMatching(/^go on with `apply`.*, or plan again; .*--force/),
    });
    expect([types(), declared()]).toEqual([[RULESET], ['', rulesetText]]);
  });

  it('goes over that with --force, and keeps a copy', async () => {
    const { rollback, types, declared } = appliedFolder({ begun: ['import'] });
    const { saved = [] } = await rollback({ force: true });
    expect(saved.map(({ of }) => of)).toEqual(['state main']);
    expect([types(), declared()]).toEqual([[OLD], [oldText]]);
  });

  it('counts what was done before a rollback as none of its own', async () => {
    const { rollback, types } = appliedFolder({
      events: [
        { event: 'done', step: '1' },
        { event: 'done', step: '2' },
        { event: 'rolled-back' },
      ],
    });
    await expect(rollback()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(types()).toEqual([RULESET]);
  });

  it('leads on where they hold the ruleset at another address, and says what --force would lose', async () => {
    const [planned, other] = [plannedZone('a'), plannedZone('b')];
    const { id } = planned.ruleset;
    const zones = [{ ...other, ruleset: { ...other.ruleset, id } }];
    const { rollback, types } = appliedFolder({ imports: false, zones, begun: ['remove'] });
    await expect(rollback()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: `state main was written by somebody else since the backup: it holds the ruleset as ${RULESET}.a, and ${RULESET}.b was planned`,
      hint: expect.stringMatching(
        /let Terraform apply nothing before .*take over how they declare it, plan again.*; --force would .*drop theirs from the state/,
      ),
    });
    expect(types()).toEqual([RULESET]);
  });

  it('does not take the ruleset out of a state that the plan was to make', async () => {
    const { rollback, types } = appliedFolder({ lineage: '', begun: ['remove'] });
    await expect(rollback()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(types()).toEqual([RULESET]);
  });
});

describe('a rollback of steps that were begun and not ended', () => {
  it('takes what Terraform wrote for its own', async () => {
    const { rollback, write, types } = appliedFolder({ begun: ['import'] });
    write('state.json', stateText(3, [resource(OLD), resource(RULESET)]));
    await rollback();
    expect(types()).toEqual([OLD]);
  });

  it('does so after a rollback, too: a Terraform that waited for the lock outlived the run that was killed', async () => {
    const { rollback, write, types } = appliedFolder({ begun: ['import'] });
    write('state.json', stateText(1, [resource(OLD)]));
    await rollback();
    write('state.json', stateText(2, [resource(OLD), resource(RULESET)]));
    await rollback();
    expect(types()).toEqual([OLD]);
  });

  it('pushes no state for a resource without an instance, where nothing was imported', async () => {
    const { rollback, write, state } = appliedFolder({ lineage: '', begun: [] });
    write('state.json', stateText(3, [{ ...resource(OLD), instances: [] }]));
    await rollback();
    expect(state().serial).toBe(3);
  });
});
