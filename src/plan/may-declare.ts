import { findBlocks } from '../blocks/find-blocks';
import { withoutKeys } from '../blocks/resource-address';
import { type Configuration } from './configuration';
import { unreadPaths } from './edit-configuration';

/** Whether a configuration declares a resource, or calls a module on its way whose files were not read. */
export function mayDeclare({ project }: Pick<Configuration, 'project'>, address: string): boolean {
  const block = withoutKeys(address);
  return (
    findBlocks(project, block).length > 0 ||
    unreadPaths(project).some((path) => block.startsWith(path))
  );
}
