import { type ConfigModule, type ResourceBlock } from './config-module';
import { type ConfigObject } from './config-value';
import { declarationsOf } from './declarations-of';
import { readBody } from './read-body';

/** What a resource is declared to be: the arguments of its block, and those of override files over them. */
export function mergedBody({ resources }: ConfigModule, resource: ResourceBlock): ConfigObject {
  const own = declarationsOf(resources, resource);
  const inOrder = [
    ...own.filter(({ file }) => !file.override),
    ...own.filter(({ file }) => file.override),
  ];
  return new Map(inOrder.flatMap(({ file, block }) => [...readBody(file, block)]));
}
