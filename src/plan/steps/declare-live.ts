import { withoutKeys } from '../../core/resource-address';
import { type PlannedZone, type StepFacts } from '../facts/facts';
import { words } from '../formats/render-command';

type Zone = Pick<PlannedZone, 'zoneId' | 'address'>;
type Place = Pick<StepFacts, 'dir' | 'isSynthesised'>;

/**
 * The command that declares a live ruleset: as a construct for a CDKTF stack, because the next synthesis deletes other
 * files, and a separate stack would have a separate state.
 */
export function generateLive(
  { dir, isSynthesised }: Place,
  { zoneId, address }: Zone,
  ...flags: readonly string[]
): string[] {
  return [
    ...['cf-waf-migrate', 'generate', '--zone', zoneId, '--source', 'live', ...flags],
    ...(isSynthesised ? ['--format', 'construct'] : []),
    ...['--address', withoutKeys(address), '--out'],
    isSynthesised ? `${projectOf(dir)}constructs` : dir,
  ];
}

/** How to replace the declaration of a ruleset by the live ruleset. */
export function declareAgain(place: Place, zone: Zone, ...flags: readonly string[]): string {
  const how = place.isSynthesised
    ? 'write its construct again, then synthesise'
    : 'edit its block, or, if a generated file has only this block, write its file again';
  return `${how}: ${words(generateLive(place, zone, ...flags, '--force'))}`;
}

/**
 * The project folder of a synthesised folder `cdktf.out/stacks/<stack>` (cdktf 0.21). With another output folder,
 * the project is assumed to be where the plan is made.
 */
function projectOf(dir: string): string {
  if (dir === '.') return '../../../';
  const output = dir.search(/cdktf\.out\/stacks\/[^/]+$/);
  return output === -1 ? '' : dir.slice(0, output);
}
