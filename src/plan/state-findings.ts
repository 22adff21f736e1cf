import { startsOf } from '../tfconfig/find-blocks';
import { withoutKeys } from '../tfconfig/resource-address';
import { type Finding } from '../core/finding';
import { providerMajors } from '../core/provider-majors';
import { type OldResource } from '../tfstate/pick-old-resources';
import { isEntryPointOf, type OwnedZone } from './assign-owners';
import * as finding from './findings';
import { type ChosenOrder } from './order';
import { type PlannedState } from './planned-state';
import { majorOf, precedes } from './provider-version';
import { typeOfAddress, unknownTypes } from './unknown-types';

/** A later provider that was asked for comes with what leaves or enters a state, and with nothing else. */
export function noOldResources({ name, installed, wanted }: PlannedState): Finding {
  const isUpgrade =
    installed !== undefined && wanted !== undefined && majorOf(wanted) > majorOf(installed);
  return finding.noOldResources(name, { kept: isUpgrade ? installed : undefined });
}

/** What is declared and in no state is to be created, which nothing can do any more. */
export function oldBlocksDeclared({ name }: PlannedState, blocks: readonly string[]): Finding[] {
  return blocks.length === 0 ? [] : [finding.oldBlocksDeclared(name, { names: blocks })];
}

/** Legacy resources of zones that were not selected: they stay in the state, or the plan is blocked. */
export function otherZones(
  { name, oldResources, installed }: PlannedState,
  leaving: readonly OldResource[],
  selected: ReadonlySet<string>,
): Finding[] {
  const ofOthers = oldResources.filter(
    ({ zoneId, mode }) => mode === 'managed' && zoneId !== undefined && !selected.has(zoneId),
  );
  if (ofOthers.length === 0) return [];
  const names = counted(ofOthers.map(({ zoneId = '' }) => zoneId));
  const removed = new Set(leaving);
  return [
    ofOthers.some((one) => removed.has(one))
      ? finding.otherZonesLeave(name, { names, isKnown: installed !== undefined })
      : finding.otherZonesStay(name, { names }),
  ];
}

/** @param leaving of a state that holds them: all that do not say their zone, or none of them */
export function withoutZone(
  { oldResources }: PlannedState,
  leaving: readonly OldResource[],
): Finding[] {
  return oldResources
    .filter(({ zoneId }) => zoneId === undefined)
    .map(({ address }) => finding.resourceWithoutZone(address, { leaves: leaving.length > 0 }));
}

/**
 * Zones of which no given state holds anything, or is to: neither old resources nor the ruleset. Of
 * states that hold nothing old, and nothing of any zone, there is no zone to be missed in.
 */
export function zonesNotInStates(
  asked: readonly string[],
  owned: readonly OwnedZone[],
  states: readonly PlannedState[],
): Finding[] {
  const known = new Set(owned.map(({ zoneId }) => zoneId));
  const missed = asked
    .filter((zoneId) => !known.has(zoneId))
    .filter((zoneId) => !states.some(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId))));
  const isWithoutOld = states.every(({ oldResources }) => oldResources.length === 0);
  return isWithoutOld && missed.length === asked.length
    ? []
    : missed.map((zoneId) => finding.zoneNotInState(zoneId));
}

/** Versions that came after those that were tested work as far as is known. */
export function newerThanTested(
  { name }: PlannedState,
  { from, to }: Pick<ChosenOrder, 'from' | 'to'>,
): Finding[] {
  return [...new Set([from, to])].flatMap((version) => {
    const { last } = providerMajors[majorOf(version)];
    return precedes(last, version)
      ? [finding.providerNewerThanTested(name, { to: version, last })]
      : [];
  });
}

/** Types of the state or the files that the provider of the plan does not know. */
export function typesUnknownToProvider(
  { configuration, unknownEntries = [] }: PlannedState,
  to: string,
): Finding[] {
  const declared = [...(configuration?.project.modules.values() ?? [])]
    .flatMap(({ resources }) => resources)
    .filter(({ mode }) => mode === 'managed');
  const moved = new Set(configuration && startsOf(configuration.project, 'moved').map(withoutKeys));
  return [...unknownTypes(to)].flatMap(([type, newTypes]) => {
    const blocks = declared
      .filter((one) => one.type === type)
      .map(({ block }) => `${block.address} (${block.file}:${block.range.startLine})`);
    const entries = unknownEntries.filter(
      (address) => typeOfAddress(address) === type && !moved.has(withoutKeys(address)),
    );
    if (blocks.length + entries.length === 0) return [];
    const report = configuration === undefined ? finding.typeMayBeUnknown : finding.typeUnknown;
    return [report(type, { to, blocks, entries, newTypes })];
  });
}

/** Declared rulesets that the provider of the plan does not take as they are written. */
export function otherDialect(
  { declared, dir, installed, wanted }: PlannedState,
  { from, to }: Pick<ChosenOrder, 'from' | 'to'>,
): Finding[] {
  if (installed === undefined && wanted === undefined) return [];
  const major = majorOf(to);
  const isUpgrade = major !== majorOf(from);
  return declared
    .filter(({ majors = [] }) => majors.length > 0 && !majors.includes(major))
    .map((one) =>
      finding.rulesetOfOtherProvider(one.address, {
        ...{ declared: one, dir: one.dir ?? dir, major, isUpgrade },
      }),
    );
}

/** A state, and what is planned of its provider. */
interface PlannedStack {
  readonly state: PlannedState;
  readonly planned: { readonly provider: Pick<ChosenOrder, 'from' | 'to'> };
}

/** Other stacks of a CDKTF project that change their provider with a planned one. */
export function otherStacks(planned: readonly PlannedStack[]): Finding[] {
  const dirs = new Set(planned.map(({ state }) => state.dir));
  return planned.flatMap(({ state, planned: { provider } }) => {
    const others = (state.otherStacks ?? []).filter(({ dir }) => !dirs.has(dir));
    if (majorOf(provider.to) <= majorOf(provider.from) || others.length === 0) return [];
    const names = others.map(({ name }) => name);
    return [finding.otherStacksChangeMajor(state.name, { to: provider.to, names })];
  });
}

/** Each text once, with how often it is there. */
export function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${text} (${count})`);
}
