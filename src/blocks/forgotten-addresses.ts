import { type ConfigProject } from './config-project';
import { modulePaths } from './find-blocks';

/**
 * What `removed` blocks let go without destroying it, as addresses without keys: resources, and
 * modules with all that is in them.
 */
export function forgottenAddresses(project: ConfigProject): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const removed = module.stateBlocks.flatMap(({ kind, keeps, from }) =>
      kind === 'removed' && keeps && from !== undefined ? [from] : [],
    );
    const paths = modulePaths(project, module);
    return removed.flatMap((from) => paths.map((path) => (path === '' ? from : `${path}.${from}`)));
  });
}
