import { isEntryPointOf, type OwnedZone } from './assign-owners';
import { type ChosenOrder } from './choose-order';
import { allOldBlocks } from './old-data-sources';
import { type PlannedState } from './planned-state';

/**
 * Whether all that is left to do in a state is to import its rulesets again: it owns the ruleset of a zone that is
 * asked for, and neither holds nor declares legacy resources.
 */
export function importsAgainAlone(
  { installed, oldResources, rulesets, configuration }: PlannedState,
  { reimported }: ChosenOrder,
  asked: readonly string[],
): boolean {
  return (
    installed !== undefined &&
    reimported.length > 0 &&
    oldResources.length === 0 &&
    asked.some((zoneId) => rulesets.some(isEntryPointOf(zoneId))) &&
    (configuration === undefined || allOldBlocks(configuration).length === 0)
  );
}

/** With the zones of which nothing was looked up, because the state owns their rulesets: these are to stay. */
export function withOwned(
  own: readonly OwnedZone[],
  owner: PlannedState,
  asked: readonly string[],
): readonly OwnedZone[] {
  const known = new Set(own.map(({ zoneId }) => zoneId));
  const others = asked.filter((zoneId) => !known.has(zoneId));
  return [
    ...own,
    ...others.flatMap((zoneId) =>
      owner.rulesets
        .filter(isEntryPointOf(zoneId))
        .map(({ address, id = '' }) => ({ zoneId, rulesetId: id, address, owner, imported: true })),
    ),
  ];
}
