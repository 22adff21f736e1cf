import { type StepKind } from '../../plan/plan';
import { type StepExecutor } from './step-executor';

/** The one list of step kinds: adding one is a file and a line here. Each is loaded where a plan has it. */
export const stepKinds: Readonly<Record<StepKind, () => Promise<StepExecutor>>> = {
  backup: async () => (await import('./steps/backup')).backupStep,
  edit: async () => (await import('./steps/edit')).editStep,
  import: async () => (await import('./steps/import')).importStep,
  'remove-dry-run': async () => (await import('./steps/remove')).removeDryRunStep,
  remove: async () => (await import('./steps/remove')).removeStep,
  'apply-blocks': async () => (await import('./steps/apply-blocks')).applyBlocksStep,
  'upgrade-provider': async () => (await import('./steps/upgrade-provider')).upgradeProviderStep,
  check: async () => (await import('./steps/check')).checkStep,
  manual: async () => (await import('./steps/manual')).manualStep,
};
