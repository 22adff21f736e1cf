import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { type PlannedState } from './planned-state';
import { typeOfAddress } from './unknown-types';

/** What in the folder of a state stands in the way of its steps. */
export function folderHazards(state: PlannedState): Finding[] {
  return [...unmoved(state), ...sharedByWorkspaces(state)];
}

/** Terraform plans no target beside a pending move, and forgets no resource that is about to move. */
function unmoved({ pendingMoves = [] }: PlannedState): Finding[] {
  // a move to another type is the provider's: no `state mv` does it, and the checks accept it
  const ofOneType = pendingMoves.filter(
    ({ from, to }) => typeOfAddress(from) === typeOfAddress(to),
  );
  return ofOneType.map(({ from, to, file, line }) => ({
    code: 'MOVE_PENDING',
    severity: 'decision',
    subject: `${file}:${line}`,
    message: printable(
      `this moved block, from ${from} to ${to}, is pending: Terraform refuses -target beside it, and a removed block does not find what moves`,
      1000,
    ),
    remedy: 'move it with `terraform state mv`, then plan again',
  }));
}

/** Workspaces have a state each, and one configuration, also where this one has nothing old left. */
function sharedByWorkspaces({ otherWorkspaces = [], name }: PlannedState): Finding[] {
  const holding = otherWorkspaces.filter(({ oldResources }) => oldResources.length > 0);
  if (holding.length === 0) return [];
  return [
    {
      code: 'OTHER_WORKSPACES',
      severity: 'decision',
      subject: name,
      message: printable(
        `other workspaces of this folder hold old resources too, and the blocks leave the files of all: an apply there would destroy them: ${holding.map((one) => one.name).join(', ')}`,
        1000,
      ),
      remedy:
        'carry this plan out, then plan each of them (TF_WORKSPACE=<name>) and carry that out, one after another; apply nothing else in this folder before',
    },
  ];
}
