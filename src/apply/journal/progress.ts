import { join } from 'node:path';
import { type Plan } from '../../plan/plan-schema';
import { isEdited } from '../steps/edit';
import { isRolledBack, journalPath, lastEvent } from './journal';

/** How far a plan is, by its journal and its edited files. */
export function progressOf({ plan, folder }: { readonly plan: Plan; readonly folder: string }) {
  const journal = join(folder, journalPath(plan.digest));
  if (isRolledBack(journal)) return 'rolled back';
  const last = lastEvent(journal);
  if (last === 'rollback') return 'rolling back';
  if (last !== undefined) return last === 'end' ? 'applied' : 'begun';
  const isOfBlocks = plan.states.some(({ method }) => method === 'blocks');
  return isOfBlocks && isEdited(plan, folder) ? 'in review' : 'new';
}
