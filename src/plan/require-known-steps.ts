import { configSyntax } from '../blocks/config-source';
import { type FileEdit } from '../blocks/file-edit';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { isBackupFile } from './backup-file';
import { unknownWord } from './known-commands';
import { type Plan, type PlanState, type Run, type Step, type StepKind } from './plan';

/**
 * Checks that a plan holds nothing but what this tool plans, whoever has written it: anybody can compute a digest.
 * Which folders are modules of the configuration tell its files, when the edits are made.
 * @throws MigrationError `PLAN_INVALID`
 */
export function requireKnownSteps(plan: Plan): void {
  const states = new Map(plan.states.map((state) => [state.name, state]));
  for (const { name } of plan.states) {
    // it is part of the names of backups
    if (!/^[\w-]+$/.test(name)) throw unknown(`the state ${printable(name, 80)}`);
  }
  for (const step of plan.steps) {
    const known = (name: string): PlanState => {
      const found = states.get(name);
      if (found !== undefined) return found;
      throw unknown(`the state ${printable(name, 80)} of step ${step.id}`);
    };
    requireKnown(step, [known(step.state), ...(step.states ?? []).map(known)], plan);
  }
}

function requireKnown(step: Step, states: readonly [PlanState, ...PlanState[]], plan: Plan): void {
  const { id, kind, runs, edits = [], expects } = step;
  const what = (text: string): MigrationError => unknown(`${text} in step ${id}, ${kind}`);
  const word = unknownWord(step, states[0], plan);
  // without its value: it can be a secret
  if (word !== undefined) throw what(`"${printable(word.replace(/=[\s\S]*/, ''), 80)}"`);
  const copy = runs?.find((run) => !isKnownCopy(run, kind));
  if (copy !== undefined) throw what(`a copy as ${printable(copy.saveTo ?? 'nothing', 200)}`);
  if (kind !== 'edit' && edits.length > 0) throw what('an edit');
  const edit = edits.find((one) => !isKnownFile(one, states));
  if (edit !== undefined) throw what(`an edit of ${printable(edit.file, 200)}`);
  const proof = expects?.plan;
  if (kind === 'check' && proof !== 'empty' && proof !== 'target-empty') throw what('no proof');
}

/** A backup alone keeps what its command prints, and among the other backups. */
function isKnownCopy({ saveTo }: Run, kind: StepKind): boolean {
  if (saveTo === undefined) return kind !== 'backup';
  return kind === 'backup' && isBackupFile(saveTo);
}

/** Terraform's own files alone; a new one stands in the folder of a state. */
function isKnownFile({ file, sha256 }: FileEdit, states: readonly PlanState[]): boolean {
  const isNew = sha256 === null;
  return (
    configSyntax(file) !== undefined &&
    // elsewhere it parts a path, and leads out of the folder
    !/\\[^/]*$/.test(file) &&
    (!isNew || states.some(({ dir }) => dir === folderOfFile(file)))
  );
}

/** The folder of a file of a plan, as its states name theirs. */
export function folderOfFile(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
}

function unknown(what: string): MigrationError {
  return new MigrationError('PLAN_INVALID', `no plan of this version holds ${what}`);
}
