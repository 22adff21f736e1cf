import { findBlocks } from '../blocks/find-blocks';
import { withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { isOutside, placeOf } from './block-keys';
import { type StepDraft } from './plan';
import { type PlannedState } from './planned-state';

/** A state, and its steps in their order. */
export interface StateSteps {
  readonly state: PlannedState;
  readonly steps: readonly StepDraft[];
  /** What a plan in which no state has a step does: it checks, so that it promises nothing unseen. */
  readonly checks: readonly StepDraft[];
}

/** The states in groups whose blocks stand in the same files: those of a module that all of them call. */
export function groupByFiles<Part extends StateSteps>(parts: readonly Part[]): Part[][] {
  let groups: { members: Part[]; files: ReadonlySet<string> }[] = [];
  for (const part of parts) {
    const own = { members: [part], files: filesOf(part) };
    const joined = groups.filter(({ files }) => [...files].some((file) => own.files.has(file)));
    const all = [...joined, own];
    const group = {
      members: all.flatMap(({ members }) => members),
      files: new Set(all.flatMap(({ files }) => [...files])),
    };
    groups = [...groups, own].flatMap((one) =>
      one === all[0] ? [group] : all.includes(one) ? [] : [one],
    );
  }
  return groups.map(({ members }) => members);
}

/** The steps of one state are in order by themselves; whether others call its module is not in the plan. */
export function sharedWithOthers(parts: readonly StateSteps[]): Finding[] {
  const alone = groupByFiles(parts).filter(({ length }) => length === 1);
  return alone.flat().flatMap((part) => {
    const { name, configuration } = part.state;
    const root = placeOf(configuration ?? {}, configuration?.project.root ?? '.');
    const outside = [...filesOf(part)].filter((file) => isOutside(root, file));
    return outside.map((file): Finding => ({
      code: 'BLOCK_OF_SEVERAL_STATES',
      severity: 'decision',
      subject: printable(file, 200),
      message: `the file lies outside of the folder of state ${printable(name, 80)}, and other configurations may call its module: once its blocks are gone, an apply there would destroy what their states still hold`,
      remedy:
        'where other configurations call it, plan their states together with this one (--dir for each), and apply nothing there before',
    }));
  });
}

function filesOf(part: StateSteps): ReadonlySet<string> {
  return new Set([...filesLeft(part), ...filesEdited(part)]);
}

/** Files with a block of what leaves the state. */
function filesLeft({ state: { configuration }, steps }: StateSteps): ReadonlySet<string> {
  if (configuration === undefined) return new Set();
  const leaving = steps.flatMap(({ expects }) => expects?.gone ?? []);
  const blocks = [...new Set(leaving.map(withoutKeys))].flatMap((address) =>
    findBlocks(configuration.project, address),
  );
  return new Set(blocks.map(({ file }) => placeOf(configuration, file.path)));
}

/** Files that the steps take blocks out of: also those of old types of which the state holds nothing. */
function filesEdited({ state, steps }: StateSteps): readonly string[] {
  return steps
    .flatMap(({ edits = [] }) => edits)
    .flatMap(({ file, remove }) =>
      remove.length > 0 ? placeOf(state.configuration ?? {}, file) : [],
    );
}
