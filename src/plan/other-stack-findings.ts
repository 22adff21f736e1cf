import { findOldBlocks } from '../blocks/find-old-blocks';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { oldWafTypes } from '../state/old-waf-types';
import { type PlanState } from './plan';
import { type OtherStack, type PlannedState } from './planned-state';
import { majorOf } from './provider-version';
import { retiredTypes } from './retired-types';

/** A state, and what is planned of its provider. */
interface PlannedStack {
  readonly state: PlannedState;
  readonly planned: Pick<PlanState, 'provider'>;
}

/** The stacks of a CDKTF project have one set of bindings: a change of its major is a change for all. */
export function otherStackFindings(planned: readonly PlannedStack[]): Finding[] {
  const dirs = new Set(planned.map(({ state }) => state.dir));
  return planned.flatMap(({ state, planned: { provider } }) => {
    if (majorOf(provider.to) <= majorOf(provider.from)) return [];
    const others = (state.otherStacks ?? []).filter(({ dir }) => !dirs.has(dir));
    const unknowing = others.filter((stack) => declaresUnknown(stack, provider.to));
    const taking = others.filter((stack) => !unknowing.includes(stack));
    return [
      ...(unknowing.length === 0 ? [] : [stackNotMoved(state, provider.to, unknowing)]),
      ...(taking.length === 0 ? [] : [stackChangesMajor(state, provider.to, taking)]),
    ];
  });
}

/** Whether a stack declares what a provider has no schema of: then it cannot even be planned. */
function declaresUnknown({ configuration }: OtherStack, to: string): boolean {
  if (configuration === undefined) return false;
  // no provider to which one changes knows those of the old WAF
  const types = { old: oldWafTypes, retired: retiredTypes(to) };
  const { old, inChecks, retired } = findOldBlocks(configuration.project, types);
  return [...old, ...inChecks, ...retired].length > 0;
}

function stackNotMoved({ name }: PlannedState, to: string, stacks: readonly OtherStack[]): Finding {
  return {
    code: 'OTHER_STACKS_NOT_MOVED',
    severity: 'decision',
    subject: name,
    message: `provider ${to} comes to the whole CDKTF project, and these stacks of it declare what that does not know, so that they could not be planned: ${namesOf(stacks)}`,
    remedy:
      'plan these stacks together with this one (--dir and --zone for each), or leave out --to until they have moved',
  };
}

function stackChangesMajor(
  { name }: PlannedState,
  to: string,
  stacks: readonly OtherStack[],
): Finding {
  return {
    code: 'OTHER_STACKS_CHANGE_MAJOR',
    severity: 'info',
    subject: name,
    message: `provider ${to} comes to the whole CDKTF project, also to these stacks of it: ${namesOf(stacks)}`,
    remedy: 'follow the upgrade guide of the provider for them, and plan each before it is applied',
  };
}

const namesOf = (stacks: readonly OtherStack[]): string =>
  printable(stacks.map(({ name }) => name).join(', '), 800);
