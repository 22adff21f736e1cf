import { posix } from 'node:path';
import { attempt } from '../core/migration-error';
import { parseAddress } from '../core/resource-address';
import {
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  type ResourceBlock,
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

/** The key of a resource or data source in its module. */
export function resourceKey({
  mode,
  type,
  name,
}: Pick<ResourceBlock, 'mode' | 'type' | 'name'>): string {
  return `${mode}.${type}.${name}`;
}

/** The paths by which the root reaches a module: `''` for the root, `module.zones`, `module.a.module.b`. */
export function modulePaths({ paths }: ConfigProject, module: ConfigModule): string[] {
  return [...paths].flatMap(([path, reached]) => (reached.module === module ? path : []));
}

/** An address inside a module, as seen from the root. */
export function inModule(path: string, address: string): string {
  return path === '' ? address : `${path}.${address}`;
}

/** The addresses of a declaration as seen from the root: one for each call of its module. */
export function addressesOf(
  { paths }: ConfigProject,
  file: ConfigFile,
  address: string,
): readonly string[] {
  return [...paths].flatMap(([path, { module }]) =>
    module.dir === posix.dirname(file.path) ? inModule(path, address) : [],
  );
}
