import { type ConfigModule, type ResourceBlock } from './config-module';
import { type ConfigProject } from './config-project';
import { modulePaths } from './find-blocks';
import { groupBy } from './group-by';
import { declaresSame, mergedBody } from './merged-body';
import { type PendingMove } from './pending-moves';
import { withoutKeys } from './resource-address';

/** Whether a configuration has a resource that can have got its `count` since: most states then need not be looked at. */
export function hasCounts({ modules }: ConfigProject): boolean {
  return [...modules.values()].some(({ files }) => files.some(({ text }) => COUNT.test(text)));
}

const COUNT = /\bcount\b/;

/**
 * The moves that Terraform makes without a `moved` block: of a resource that had no key to its instance 0
 * where `count` was added, and back where it went. Modules, `for_each`, and an address that the state
 * has both ways move nothing (1.11.4, measured); nor does what a `moved` block names.
 * @param addresses of the resources of the state
 */
export function impliedMoves(
  project: ConfigProject,
  addresses: readonly string[],
): readonly PendingMove[] {
  const held = new Set(addresses);
  const candidates = addresses
    .map((from) => ({ from, to: from.endsWith('[0]') ? from.slice(0, -3) : `${from}[0]` }))
    .filter(({ from, to }) => !held.has(to) && (from.endsWith('[0]') || !from.endsWith(']')));
  const byResource = groupBy(candidates, ({ from }) => withoutKeys(from));
  return [...project.modules.values()].flatMap((module) => {
    const paths = modulePaths(project, module).map((path) => (path === '' ? '' : `${path}.`));
    return module.resources.filter(isDeclaration).flatMap((resource) => {
      const { block, file } = resource;
      const own = paths.flatMap((path) => byResource.get(`${path}${block.address}`) ?? []);
      if (own.length === 0 || isNamedByMoved(module, block.address)) return [];
      const repetition = repetitionOf(module, resource);
      const move = own.find(({ to }) => (to.endsWith('[0]') ? 'count' : 'none') === repetition);
      const { startLine: line } = block.range;
      return move === undefined ? [] : [{ ...move, file: file.path, line, isImplied: true }];
    });
  });
}

/** Not one of an override file, which is about the same resource. */
function isDeclaration({ file }: ResourceBlock): boolean {
  return !file.override;
}

function isNamedByMoved({ stateBlocks }: ConfigModule, address: string): boolean {
  return stateBlocks.some(
    ({ kind, from = '', to = '' }) =>
      kind === 'moved' && [from, to].some((one) => withoutKeys(one) === address),
  );
}

/** Most resources have neither: what has no such word need not be taken apart. */
function repetitionOf(
  module: ConfigModule,
  resource: ResourceBlock,
): 'count' | 'for_each' | 'none' {
  const texts = module.resources
    .filter((one) => declaresSame(one, resource))
    .map(({ file, block }) => file.text.slice(block.range.start, block.range.end));
  if (!texts.some((text) => COUNT.test(text) || text.includes('for_each'))) return 'none';
  const body = mergedBody(module, resource);
  if (body.has('count')) return 'count';
  return body.has('for_each') ? 'for_each' : 'none';
}
