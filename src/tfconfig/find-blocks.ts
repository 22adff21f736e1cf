import { posix } from 'node:path';
import { attempt } from '../core/migration-error';
import { parseAddress } from '../core/resource-address';
import {
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  objectsOf,
  type ResourceBlock,
  stringOf,
} from './config';

/**
 * Finds the block that declares a resource; none if the configuration does not declare it.
 *
 * @param address as in the state, without keys: `module.zones.cloudflare_waf_rule.r`
 */
export function findBlocks({ paths }: ConfigProject, address: string): readonly ResourceBlock[] {
  const parsed = attempt(() => parseAddress(address));
  if (parsed === undefined) return [];
  return paths.get(parsed.module)?.module.declarations.get(resourceKey(parsed)) ?? [];
}

/** The resources and data sources of some types in every module, in order. */
export function findBlocksOfTypes(
  project: ConfigProject,
  types: readonly Pick<ResourceBlock, 'mode' | 'type'>[],
): readonly ResourceBlock[] {
  const keys = new Set(types.map(({ mode, type }) => `${mode} ${type}`));
  return [...project.modules.values()].flatMap(({ resources }) =>
    resources.filter(({ mode, type }) => keys.has(`${mode} ${type}`)),
  );
}

/** The backends that the `terraform` blocks of a module declare, with `cloud`, and their settings. */
export function declaredBackends({ files }: ConfigModule) {
  const settings = files.flatMap(({ blocks }) =>
    blocks.flatMap(({ type, body }) => (type === 'terraform' ? body : [])),
  );
  const ofTypes = settings.flatMap((one) => [
    ...objectsOf(one.get('backend')).flatMap((types) => [...types]),
    ['cloud', one.get('cloud')] as const,
  ]);
  return ofTypes.flatMap(([type, value]) => objectsOf(value).map((body) => ({ type, body })));
}

export function resourceKey(one: Pick<ResourceBlock, 'mode' | 'type' | 'name'>): string {
  return `${one.mode}.${one.type}.${one.name}`;
}

/** An address inside a module, as seen from the root. */
export function inModule(path: string, address: string): string {
  return path === '' ? address : `${path}.${address}`;
}

/** Whether an address is in a module whose files were not read. */
export function inUnreadModule(project: ConfigProject): (address: string) => boolean {
  const calls = unreadCalls(project);
  return (address) => calls.some(({ prefix }) => address.startsWith(prefix));
}

/** The calls of modules whose files were not read, with the prefix of the addresses in them. */
export function unreadCalls({ paths, unread }: ConfigProject) {
  return [...paths].flatMap(([path, { module }]) =>
    module.calls
      .filter((call) => unread.has(call))
      .map(({ block }) => ({ prefix: `${inModule(path, block.address)}.`, block })),
  );
}

type Declaration = Pick<ResourceBlock, 'file' | 'block'>;

/** The addresses of a declaration as seen from the root: one for each call of its module. */
export function addressesOf(
  { paths }: ConfigProject,
  { file, block }: Declaration,
): readonly string[] {
  return [...paths].flatMap(([path, { module }]) =>
    module.dir === posix.dirname(file.path) ? inModule(path, block.address) : [],
  );
}

/**
 * Whether CDKTF generated the configuration: the next synthesis rewrites the folder, so nothing in it is edited.
 * Recognised by the file that every stack has, also in a copy of the folder.
 */
export function isSynthesised({ rootModule }: ConfigProject): boolean {
  return rootModule.files.some(isStackFile);
}

/** The one file that every stack of CDKTF has. */
export function isStackFile({ path }: ConfigFile): boolean {
  return path.split('/').at(-1) === 'cdk.tf.json';
}

/** What to remove from a program so that a block is not generated: its construct, or else its addresses. */
export function originOf(project: ConfigProject, one: ResourceBlock): readonly string[] {
  const path = constructPath(one);
  return path === undefined ? addressesOf(project, one) : [path];
}

/**
 * The construct that made a block: `edge/owasp` for the construct `owasp` of the stack `edge`. Undefined
 * for a file that CDKTF did not write, and for a block without a construct: an override or the copy of a module.
 */
export function constructPath({ file, block }: Declaration): string | undefined {
  if (file.syntax !== 'json') return undefined;
  const [comment] = objectsOf(block.body.get('//'));
  const [metadata] = objectsOf(comment?.get('metadata'));
  return stringOf(metadata?.get('path'));
}
