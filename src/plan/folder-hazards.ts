import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { oldResourceBlocks } from './old-data-sources';
import { type PlannedState } from './planned-state';

/** What in the folder of a state stands in the way of its steps. */
export function folderHazards(state: PlannedState): Finding[] {
  return [...unmoved(state), ...sharedByWorkspaces(state)];
}

/** Terraform plans no target beside a pending move, and forgets no resource that is about to move. */
function unmoved({ pendingMoves = [] }: PlannedState): Finding[] {
  return pendingMoves.map(({ from, to, file, line, isImplied }) => ({
    code: 'MOVE_PENDING',
    severity: 'decision',
    subject: `${file}:${line}`,
    message: printable(
      `${isImplied ? 'the move of this resource, whose count was added or removed' : 'this moved block'}, from ${from} to ${to}, is not carried out yet: the checks of this plan would fail, and what moves would not be forgotten`,
      1000,
    ),
    remedy:
      'let Terraform carry it out first, by an apply or by `terraform state mv`, then plan again',
  }));
}

/** Workspaces have a state each, and one configuration. */
function sharedByWorkspaces(state: PlannedState): Finding[] {
  const { otherWorkspaces = [], oldResources, configuration, name } = state;
  const declared = configuration === undefined ? [] : oldResourceBlocks(configuration);
  if (otherWorkspaces.length === 0 || oldResources.length + declared.length === 0) return [];
  return [
    {
      code: 'OTHER_WORKSPACES',
      severity: 'decision',
      subject: name,
      message: printable(
        `other workspaces of this folder hold old resources too, and the blocks leave the files of all: an apply there would destroy them: ${otherWorkspaces.join(', ')}`,
        1000,
      ),
      remedy:
        'plan each of them as well (TF_WORKSPACE=<name>), and apply nothing in this folder before the steps of all have been carried out',
    },
  ];
}
