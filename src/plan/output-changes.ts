import { type ConfigValue, Expression } from '../blocks/config-value';
import { declaredOutputs } from '../blocks/declared-outputs';
import { acceptFlag } from '../model/accept-flag';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { type StepDraft } from './plan';
import { type PlannedState } from './planned-state';

/**
 * Outputs that Terraform would change, as far as the files tell: one was taken out because it referred to
 * an old resource, and the check of the plan would stop at it. An import writes all of them anew (measured).
 *
 * @param steps of the state
 * @param hasCommands whether method commands would import what these steps do not
 */
export function outputChanges(
  { configuration, exists, outputs }: PlannedState,
  steps: readonly StepDraft[],
  hasCommands: boolean,
): Finding[] {
  if (configuration === undefined || outputs === undefined || !exists) return [];
  const first = steps.find(({ kind, expects }) => writesOutputs(kind) || expects?.plan === 'empty');
  if (first === undefined || first.kind === 'import') return [];
  const declared = declaredOutputs(configuration.project);
  const names = [...new Set([...outputs.keys(), ...declared.keys()])];
  const commands = hasCommands
    ? '; or plan with --method commands, whose import writes outputs anew'
    : '';
  return names.flatMap((name): Finding[] => {
    const problem = problemOf(name, outputs, declared);
    if (problem === undefined) return [];
    return [
      {
        code: 'OUTPUT_CHANGES',
        severity: 'decision',
        subject: printable(`output.${name}`, 200),
        message: `${problem}: Terraform plans to change the output, and this plan stops at that`,
        remedy: `where that is as it should be, pass ${acceptFlag(`output.${name}`)} to rehearse, apply and verify${commands}`,
      },
    ];
  });
}

function writesOutputs(kind: StepDraft['kind']): boolean {
  return ['import', 'apply-blocks'].includes(kind);
}

function problemOf(
  name: string,
  outputs: ReadonlyMap<string, unknown>,
  declared: ReadonlyMap<string, ConfigValue | undefined>,
): string | undefined {
  const value = declared.get(name);
  if (!outputs.has(name)) {
    // an output that is null is in no state, and an expression may be
    const isWritten = value !== undefined && value !== null && !(value instanceof Expression);
    return isWritten ? 'the configuration declares it, and the state does not have it' : undefined;
  }
  const isDeclared = declared.has(name) && value !== null;
  if (!isDeclared) return 'the state has it, and the configuration does not declare it';
  // no literal, but an expression, a list or an object
  if (value === undefined || typeof value === 'object') return;
  return value === outputs.get(name) ? undefined : 'it is declared with another value than it has';
}
