import { posix } from 'node:path';
import { withoutKeys } from '../../core/resource-address';
import { GENERATED } from '../../generate/generate-stack';
import { stringOf } from '../../tfconfig/config';
import { constructPath, findBlocks } from '../../tfconfig/find-blocks';
import { type PlannedZone, type StepFacts } from '../facts/facts';

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
    ...generateZone(zoneId, flags),
    ...(isSynthesised ? ['--format', 'construct'] : []),
    ...['--address', withoutKeys(address), '--out'],
    isSynthesised ? `${projectOf(dir)}constructs` : dir,
  ];
}

const generateZone = (zoneId: string, flags: readonly string[]): string[] => [
  ...['cf-waf-migrate', 'generate', '--zone', zoneId, '--source', 'live'],
  ...flags,
];

/**
 * How to replace the declaration of a ruleset by the live ruleset, and its command. `generate` replaces only a file that
 * it wrote, and in which nothing was added.
 */
export function declareAgain(
  { configuration, ...place }: Place & Pick<StepFacts, 'configuration'>,
  zone: Zone,
  ...flags: readonly string[]
) {
  const { isSynthesised } = place;
  const address = withoutKeys(zone.address);
  const [found] = configuration ? findBlocks(configuration.project, address) : [];
  // a literal zone would replace the variable of a module, or the parameter of a class of the user
  const isOwn = stringOf(found?.block.body.get('zone_id')) === zone.zoneId;
  const path = (found && constructPath(found)?.split('/')) ?? [];
  // CDKTF names a ruleset of another class by its path, and a hash
  const isOfClass = path.length > 2 && !address.endsWith(`.${path.at(-1) ?? ''}`);
  if (isSynthesised && (found === undefined || (isOwn && !isOfClass))) {
    // directly in a stack (`stack/ruleset`), it is in the file of a stack, not of a construct
    const isInStack = path.length === 2;
    const command = isInStack
      ? [
          ...generateZone(zone.zoneId, [...flags, '--force']),
          ...['--out', projectOf(place.dir) || '.'],
        ]
      : generateLive(place, zone, ...flags, '--force');
    return {
      remedy: `write its ${isInStack ? 'stack' : 'construct'} again, and synthesise`,
      command,
    };
  }
  const { file } = found ?? {};
  const dir = file === undefined ? place.dir : posix.dirname(file.path);
  // in the folder of a module, the address is without that module
  const local = { ...zone, address: found?.block.address ?? zone.address };
  if (file === undefined || (isOwn && file.text.includes(GENERATED) && file.blocks.length === 1))
    return {
      remedy: 'write its file again',
      command: generateLive({ ...place, dir }, local, ...flags, '--force'),
    };
  const [format, folder] = isSynthesised ? ['construct', projectOf(place.dir)] : ['hcl', dir];
  // in the project, a second ruleset of the zone is refused
  const aside = posix.join(folder, isSynthesised ? '../example' : 'example');
  const example = { dir: aside, isSynthesised: false };
  return {
    remedy: isSynthesised
      ? 'edit its class. This writes the live rules as an example into a new folder: copy its rules, and skip its other steps'
      : 'edit its block. This writes the live rules as an example into a new folder, where nothing is imported',
    command: generateLive(example, local, ...flags, '--format', format),
  };
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
