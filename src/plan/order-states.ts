import { mergeEdits } from '../blocks/plan-edit';
import { printable } from '../model/printable';
import { type Step, type StepDraft } from './plan';
import { groupByFiles, type StateSteps } from './shared-files';

/**
 * The steps of all states in one order. One state follows the other, but where their blocks stand in
 * the same files: then all of them let go before one edit takes these blocks out, because a state
 * that still holds something without a block would have it destroyed by the next apply.
 */
export function orderStates(parts: readonly StateSteps[]): Step[] {
  const changes = groupByFiles(parts).flatMap((group) =>
    group.length === 1 ? group.flatMap(stepsOf) : interleaved(group),
  );
  const steps =
    changes.length > 0
      ? changes
      : parts.flatMap((part) => stepsOf({ ...part, steps: part.checks }));
  return steps.map((step, index): Step => ({ id: String(index + 1), ...step }));
}

type Unnumbered = Omit<Step, 'id'>;
type EditStep = Unnumbered & Required<Pick<Step, 'edits'>>;

function stepsOf({ state, steps }: StateSteps): Unnumbered[] {
  return steps.map((draft) => ({ ...draft, state: state.name }));
}

/** Method blocks has nothing to let go before its edit: there one edit writes the `removed` blocks of all. */
function interleaved(group: readonly StateSteps[]): Unnumbered[] {
  const phases = group.map((part) => phasesOf(stepsOf(part)));
  return [
    ...phases.flatMap(({ prepare }) => prepare),
    ...phases.flatMap(({ letGo }) => letGo),
    ...oneEdit(
      group,
      phases.flatMap(({ edits }) => edits),
    ),
    ...phases.flatMap(({ rest }) => rest),
  ];
}

interface Phases {
  /** What takes nothing out of state or files. */
  readonly prepare: readonly Unnumbered[];
  readonly letGo: readonly Unnumbered[];
  /** What takes blocks out of files. */
  readonly edits: readonly EditStep[];
  readonly rest: readonly Unnumbered[];
}

function phasesOf(all: readonly Unnumbered[]): Phases {
  const steps = all.filter((step) => !takesBlocksOut(step));
  const lettingGo = ({ kind }: StepDraft): boolean =>
    kind === 'remove-dry-run' || kind === 'apply-blocks';
  const first = steps.findIndex(lettingGo);
  const from = first === -1 ? steps.filter(({ kind }) => kind === 'backup').length : first;
  const to = Math.max(from, steps.findLastIndex(({ kind }) => kind === 'remove') + 1);
  return {
    prepare: steps.slice(0, from),
    letGo: steps.slice(from, to),
    edits: all.filter(takesBlocksOut),
    rest: steps.slice(to),
  };
}

function takesBlocksOut(step: Unnumbered): step is EditStep {
  return step.edits?.some(({ remove }) => remove.length > 0) === true;
}

function oneEdit(group: readonly StateSteps[], steps: readonly EditStep[]): Unnumbered[] {
  const [first] = steps;
  if (first === undefined) return [];
  const names = group.map(({ state }) => state.name);
  const files = group.flatMap(({ state: { configuration } }) =>
    [...(configuration?.project.modules.values() ?? [])].flatMap((module) => module.files),
  );
  const edits = steps.flatMap((step) => step.edits);
  const places = new Map(
    group.flatMap(({ state }) => [...(state.configuration?.linkedFiles ?? [])]),
  );
  return [
    {
      ...first,
      states: names,
      why: `${printable(names.join(' and '), 300)} share a module: as soon as a block is gone, a plan of a state that still holds its resource would destroy it`,
      edits: mergeEdits(edits, files, (file) => places.get(file) ?? file),
    },
  ];
}
