import { type ResourceBlock } from './config-module';
import { groupBy } from './group-by';

/** What a resource or data source is called in its module. */
export type ResourceName = Pick<ResourceBlock, 'mode' | 'type' | 'name'>;

/** Of a module with thousands of blocks each is asked for: they are gone through once. */
const known = new WeakMap<
  readonly ResourceBlock[],
  ReadonlyMap<string, readonly ResourceBlock[]>
>();

/** The blocks among those of a module that declare one resource: one, and those of override files. */
export function declarationsOf(
  blocks: readonly ResourceBlock[],
  name: ResourceName,
): readonly ResourceBlock[] {
  const byName = known.get(blocks) ?? groupBy(blocks, keyOf);
  known.set(blocks, byName);
  return byName.get(keyOf(name)) ?? [];
}

function keyOf({ mode, type, name }: ResourceName): string {
  return `${mode}.${type}.${name}`;
}
