import { folderHazards } from '../../src/plan/folder-hazards';
import { plannedState, workspace } from './support/planned-states';

const codes = (...args: Parameters<typeof plannedState>) =>
  folderHazards(plannedState({ otherWorkspaces: [workspace('prod')], ...args[0] })).map(
    ({ code }) => code,
  );

describe('other workspaces of a folder that hold old resources', () => {
  it('are named where the blocks leave the files, and where they have left', () => {
    expect(codes()).toEqual(['OTHER_WORKSPACES']);
    expect(codes({ oldResources: [] })).toEqual(['OTHER_WORKSPACES']);
  });

  it('are named all', () => {
    const otherWorkspaces = [workspace('prod'), workspace('eu')];
    const [hazard] = folderHazards(plannedState({ otherWorkspaces }));
    expect(hazard?.message).toMatch(/: prod, eu$/);
  });

  it('are to be there', () => {
    expect(codes({ otherWorkspaces: [] })).toEqual([]);
    expect(codes({ otherWorkspaces: [workspace('clean', { oldResources: [] })] })).toEqual([]);
  });
});
