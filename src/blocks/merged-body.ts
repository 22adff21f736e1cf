import { type ConfigModule, type ResourceBlock } from './config-module';
import { type ConfigObject } from './config-value';
import { readBody } from './read-body';

/** Whether two blocks of a module declare one resource: one of them overrides the other. */
export function declaresSame(one: ResourceBlock, other: ResourceBlock): boolean {
  return one.mode === other.mode && one.type === other.type && one.name === other.name;
}

/** What a resource is declared to be: the arguments of its block, and those of override files over them. */
export function mergedBody({ resources }: ConfigModule, resource: ResourceBlock): ConfigObject {
  const own = resources.filter((one) => declaresSame(one, resource));
  const inOrder = [
    ...own.filter(({ file }) => !file.override),
    ...own.filter(({ file }) => file.override),
  ];
  return new Map(inOrder.flatMap(({ file, block }) => [...readBody(file, block)]));
}
