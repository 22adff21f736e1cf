import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding } from '../../model/finding';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { ERRORED_STATE } from '../../terraform/apply-saved-plan';

/** Whole states that lie in the folders of a plan, since a backend did not take them once. */
export function erroredStates({ states }: Plan, folder: string): Finding[] {
  const files = new Set(states.map(({ dir }) => join(dir, ERRORED_STATE)));
  return [...files]
    .filter((file) => existsSync(join(folder, file)))
    .map((file) => ({
      code: 'ERRORED_STATE_LEFT',
      severity: 'info',
      subject: printable(file, 200),
      message: `${printable(file, 200)} holds a whole state, which its backend once did not take: delete it, and push it nowhere`,
      remedy: 'delete the file: the state is as this plan has left it',
    }));
}
