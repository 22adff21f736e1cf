import { type ConfigProject } from './config-project';
import { modulePaths } from './find-blocks';

/**
 * What `removed` blocks let go without destroying it, as addresses without keys: resources, and
 * modules with all that is in them.
 */
export function forgottenAddresses(project: ConfigProject): readonly string[] {
  return [...project.modules.values()].flatMap((module) =>
    module.stateBlocks
      .filter(({ kind, keeps }) => kind === 'removed' && keeps)
      .flatMap(({ from }) => (from === undefined ? [] : [from]))
      .flatMap((from) =>
        modulePaths(project, module).map((path) => (path === '' ? from : `${path}.${from}`)),
      ),
  );
}
