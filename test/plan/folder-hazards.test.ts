import { folderHazards } from '../../src/plan/folder-hazards';
import { configuration, OLD_BLOCKS, plannedState } from './support/planned-states';

const codes = (...args: Parameters<typeof plannedState>) =>
  folderHazards(plannedState({ otherWorkspaces: ['prod'], ...args[0] })).map(({ code }) => code);
const declared = () => configuration({ 'main.tf': OLD_BLOCKS });

describe('other workspaces of a folder that hold old resources', () => {
  it('are named where the blocks leave the files', async () => {
    expect(codes({ configuration: await declared() })).toEqual(['OTHER_WORKSPACES']);
  });

  it('are named also where either the state or the files have nothing left', async () => {
    expect(codes()).toEqual(['OTHER_WORKSPACES']);
    expect(codes({ oldResources: [], configuration: await declared() })).toEqual([
      'OTHER_WORKSPACES',
    ]);
  });

  it('are no matter where neither has anything old', async () => {
    const configurationOf = await configuration({ 'main.tf': 'locals {}\n' });
    expect(codes({ oldResources: [], configuration: configurationOf })).toEqual([]);
    expect(codes({ oldResources: [] })).toEqual([]);
  });

  it('are to be there', () => {
    expect(codes({ otherWorkspaces: [] })).toEqual([]);
  });
});
