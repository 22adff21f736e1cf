import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { type PlanState } from './plan';
import { type PlannedState } from './planned-state';
import { majorOf } from './provider-version';

/** A state, and what is planned of its provider. */
interface PlannedStack {
  readonly state: PlannedState;
  readonly planned: Pick<PlanState, 'provider'>;
}

/** The stacks of a CDKTF project have one set of bindings: a change of its major is a change for all. */
export function otherStackFindings(planned: readonly PlannedStack[]): Finding[] {
  const dirs = new Set(planned.map(({ state }) => state.dir));
  return planned.flatMap(({ state, planned: { provider } }) => {
    const others = (state.otherStacks ?? []).filter(({ dir }) => !dirs.has(dir));
    if (majorOf(provider.to) <= majorOf(provider.from) || others.length === 0) return [];
    const names = printable(others.map(({ name }) => name).join(', '), 800);
    return [
      {
        code: 'OTHER_STACKS_CHANGE_MAJOR',
        severity: 'decision',
        subject: state.name,
        message: `the whole CDKTF project changes to provider ${provider.to}, also these stacks: ${names}. A stack with legacy resources or firewall rules cannot be planned with it`,
        remedy:
          'plan these stacks together with this one (--dir for each), or leave out --to until they have migrated',
      },
    ];
  });
}
