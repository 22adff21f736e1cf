import { join } from 'node:path';
import { withoutKeys } from '../../core/resource-address';
import { type PlannedZone, type StepFacts } from '../facts/facts';

type Zone = Pick<PlannedZone, 'zoneId' | 'address'>;
interface Place extends Pick<StepFacts, 'dir' | 'isSynthesised'> {
  /** The folder that the command starts from, if not that of the plan, as in {@link fromHere}. */
  readonly place?: string | undefined;
}

/**
 * The command that declares a live ruleset: as a construct for a CDKTF stack, because the next synthesis deletes other
 * files, and a separate stack would have a separate state.
 */
export function generateLive(
  { dir, isSynthesised, place = '' }: Place,
  { zoneId, address }: Zone,
  ...flags: readonly string[]
): string[] {
  return [
    ...['cf-waf-migrate', 'generate', '--zone', zoneId, '--source', 'live', ...flags],
    ...(isSynthesised ? ['--format', 'construct'] : []),
    ...['--address', withoutKeys(address), '--out'],
    fromHere(place, isSynthesised ? `${projectOf(dir)}constructs` : dir),
  ];
}

/** How to replace the declaration of a ruleset by the live ruleset, and its command. */
export function declareAgain(place: Place, zone: Zone, ...flags: readonly string[]) {
  const remedy = place.isSynthesised
    ? 'write its construct again, then synthesise'
    : 'edit its block, or, if a generated file has only this block, write its file again';
  return { remedy, command: generateLive(place, zone, ...flags, '--force') };
}

/**
 * A folder that a plan names, for the working directory; a placeholder stays.
 * @param place the folder of the plan, relative to the working directory
 */
export const fromHere = (place: string, folder: string): string =>
  folder.startsWith('<') ? folder : join(place, folder);

/**
 * The project folder of a synthesised folder `cdktf.out/stacks/<stack>` (cdktf 0.21). With another output folder,
 * the project is assumed to be where the plan is made.
 */
function projectOf(dir: string): string {
  if (dir === '.') return '../../../';
  const output = dir.search(/cdktf\.out\/stacks\/[^/]+$/);
  return output === -1 ? '' : dir.slice(0, output);
}
