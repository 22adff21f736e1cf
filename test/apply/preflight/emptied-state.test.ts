import { appliedFolder, resource, stateText } from '../../support/applied-folder';

describe('apply after the rollback of a plan that has made a state', () => {
  const editsOf = (world: ReturnType<typeof appliedFolder>) => {
    world.write('plan.json', JSON.stringify(world.plan));
    return world.cli('apply', 'plan.json', '--yes', '--only', 'edits');
  };

  it('begins anew, since the state has nothing in it again', async () => {
    const world = appliedFolder({ lineage: '' });
    await world.rollback();
    expect((await editsOf(world)).stdout).toContain('The edits are made');
  });

  it('begins anew where the state was never made', async () => {
    const world = appliedFolder({ lineage: '' });
    await world.rollback();
    world.write('state.json', '');
    expect((await editsOf(world)).stdout).toContain('The edits are made');
  });

  it('is refused where somebody has put something into that state', async () => {
    const world = appliedFolder({ lineage: '' });
    await world.rollback();
    world.write('state.json', stateText(9, [resource('cloudflare_zone')]));
    expect((await editsOf(world)).stderr).toContain('since the plan was rolled back');
  });
});
