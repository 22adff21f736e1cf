import { posix } from 'node:path';
import { type ProviderMajor, providerMajors } from '../../core/provider-majors';
import { withoutKeys } from '../../core/resource-address';
import { DEFAULT_ADDRESS } from '../../core/ruleset';
import { GENERATED } from '../../generate/generate-stack';
import { type ResourceBlock, stringOf } from '../../tfconfig/config';
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

/** The command that plans the upgrade of a folder, or of a whole program, to a provider version. */
export const planUpgrade = ({ dir, isSynthesised }: Place, major: ProviderMajor): string[] => [
  ...['cf-waf-migrate', 'plan', ...(isSynthesised ? [] : ['--dir', dir])],
  ...['--to', providerMajors[major].last],
];

const generateZone = (zoneId: string, flags: readonly string[]): string[] => [
  ...['cf-waf-migrate', 'generate', '--zone', zoneId, '--source', 'live'],
  ...flags,
];

/** How to replace the declaration of a ruleset by the live ruleset, and its command. */
export function declareAgain(
  { configuration, dir, isSynthesised }: Place & Pick<StepFacts, 'configuration'>,
  zone: Zone,
  ...flags: readonly string[]
): { remedy: string; command: string[] } {
  const address = withoutKeys(zone.address);
  const [found] = configuration ? findBlocks(configuration.project, address) : [];
  const folder = found ? posix.dirname(found.file.path) : dir;
  // in the folder of a module, the address is without that module
  const local = found ? { ...zone, address: found.block.address } : zone;
  const project = projectOf(dir);
  const again = [...flags, '--force'];
  switch (sourceOf(found, zone, isSynthesised)) {
    case 'stack':
      return {
        remedy: 'write its stack again, and synthesise',
        command: [...generateZone(zone.zoneId, again), '--out', project || '.'],
      };
    case 'construct':
      return {
        remedy: 'write its construct again, and synthesise',
        command: generateLive({ dir, isSynthesised: true }, zone, ...again),
      };
    case 'class': {
      // in the project, a second ruleset of the zone is refused
      const example = { dir: posix.join(project, '../example'), isSynthesised: false };
      return {
        remedy:
          'edit its class. This writes the live rules as an example into a new folder: copy its rules, and skip its other steps',
        command: generateLive(example, local, ...flags, '--format', 'construct'),
      };
    }
    case 'file':
      return {
        remedy: 'write its file again',
        command: generateLive({ dir: folder, isSynthesised: false }, local, ...again),
      };
    case 'block': {
      const example = { dir: posix.join(folder, 'example'), isSynthesised: false };
      return {
        remedy:
          'edit its block. This writes the live rules as an example into a new folder, where nothing is imported',
        command: generateLive(example, local, ...flags, '--format', 'hcl'),
      };
    }
  }
}

/** What has to be written again; only the user can edit a class or a block. */
function sourceOf(
  found: ResourceBlock | undefined,
  { zoneId }: Zone,
  isStack: boolean,
): 'stack' | 'construct' | 'class' | 'file' | 'block' {
  if (found === undefined) return isStack ? 'construct' : 'file';
  const { file, block } = found;
  // a literal zone would replace the variable of a module, or the parameter of a class of the user
  const isOwn = stringOf(block.body.get('zone_id')) === zoneId;
  // `generate` replaces only a file that it wrote, and in which nothing was added
  const isReplaced = file.text.includes(GENERATED) && file.blocks.length === 1;
  if (!isStack) return isOwn && isReplaced ? 'file' : 'block';
  const path = constructPath(found)?.split('/') ?? [];
  // CDKTF names a ruleset of another class by its path, and a hash
  const isOfClass = path.length > 2 && block.labels[1] !== path.at(-1);
  if (!isOwn || isOfClass) return 'class';
  if (path.length !== 2) return 'construct';
  // directly in a stack (`stack/ruleset`): `generate` gives this name to the ruleset of a stack
  return DEFAULT_ADDRESS.endsWith(`.${path[1]}`) ? 'stack' : 'class';
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
