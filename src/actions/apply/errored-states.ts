import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding } from '../../model/finding';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { ERRORED_STATE } from '../../terraform/apply-saved-plan';

/**
 * States that lie in the folders of a plan, since a backend refused them once. Whose run left one is
 * not known: one of before this plan may be the only record of resources that were made, so none is called worthless.
 */
export function erroredStates({ states }: Plan, folder: string): Finding[] {
  const files = new Set(states.map(({ dir }) => join(dir, ERRORED_STATE)));
  return [...files]
    .filter((file) => existsSync(join(folder, file)))
    .map((file) => ({
      code: 'ERRORED_STATE_LEFT',
      severity: 'info',
      subject: printable(file, 200),
      message: `${printable(file, 200)} holds a state that its backend once refused: push it nowhere as it is, since the state has changed after it`,
      remedy:
        'delete the file if a run of this plan left it; if it was there before, look first whether all of its resources are in the state: what is not was made, and is recorded nowhere else',
    }));
}
