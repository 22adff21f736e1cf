import { type ConfigProject } from './config-project';
import { type StateBlock } from './config-module';
import { modulePaths } from './find-blocks';

/**
 * What `removed` blocks let go without destroying it, as addresses without keys: resources, and
 * modules with all that is in them.
 */
export function forgottenAddresses(project: ConfigProject): readonly string[] {
  return startsOf(project, 'removed');
}

/** The addresses in `from` of `removed` blocks that destroy nothing, or of `moved` blocks. */
export function startsOf(
  project: ConfigProject,
  wanted: Exclude<StateBlock['kind'], 'import'>,
): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const starts = module.stateBlocks.flatMap(({ kind, keeps, from }) =>
      kind === wanted && (keeps || kind === 'moved') && from !== undefined ? [from] : [],
    );
    const paths = modulePaths(project, module);
    return starts.flatMap((from) => paths.map((path) => (path === '' ? from : `${path}.${from}`)));
  });
}
