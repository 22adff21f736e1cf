import { type StepKind } from '../../plan/plan';
import { type StepExecutor } from './step-executor';
import { applyBlocksStep } from './steps/apply-blocks';
import { backupStep } from './steps/backup';
import { checkStep } from './steps/check';
import { editStep } from './steps/edit';
import { importStep } from './steps/import';
import { manualStep } from './steps/manual';
import { removeDryRunStep, removeStep } from './steps/remove';
import { upgradeProviderStep } from './steps/upgrade-provider';

/** The one list of step kinds: adding one is a file and a line here. */
export const stepKinds: Readonly<Record<StepKind, StepExecutor>> = {
  backup: backupStep,
  edit: editStep,
  import: importStep,
  'remove-dry-run': removeDryRunStep,
  remove: removeStep,
  'apply-blocks': applyBlocksStep,
  'upgrade-provider': upgradeProviderStep,
  check: checkStep,
  manual: manualStep,
};
