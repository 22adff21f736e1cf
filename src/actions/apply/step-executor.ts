import { type Step } from '../../plan/plan';
import { type ApplyContext } from './apply-context';

/** How steps of one kind are recognised as done, and done. */
export interface StepExecutor {
  /** By state and files, not by the journal alone: the machine can have died in between. */
  isDone(step: Step, context: ApplyContext): boolean | Promise<boolean>;
  /** Left out for manual steps. `waiting` where the user has to do something first. */
  run?(step: Step, context: ApplyContext): Promise<void> | Promise<'waiting' | undefined>;
}
