import { type ConfigModule, type ResourceBlock } from './config-module';
import { type ConfigProject } from './config-project';
import { modulePaths } from './find-blocks';
import { groupBy } from './group-by';
import { declarationsOf } from './declarations-of';
import { type PendingMove } from './pending-moves';
import { readBody } from './read-body';
import { withoutKeys } from './resource-address';

/** Whether a configuration has a resource that can have got its `count` since: most states then need not be looked at. */
export function hasCounts({ modules }: ConfigProject): boolean {
  return [...modules.values()].some(({ files }) =>
    files.some(({ text }) => WORDS.count.test(text)),
  );
}

const WORDS = { count: /\bcount\b/, for_each: /\bfor_each\b/ };

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
    const moved = movedNames(module);
    return module.resources.filter(isDeclaration).flatMap((resource) => {
      const { block, file } = resource;
      if (moved.has(block.address)) return [];
      const own = paths.flatMap((path) => byResource.get(`${path}${block.address}`) ?? []);
      const has = (argument: keyof typeof WORDS): boolean => isGiven(module, resource, argument);
      const move = own.find(({ to }) =>
        to.endsWith('[0]') ? has('count') : !has('count') && !has('for_each'),
      );
      const { startLine: line } = block.range;
      return move === undefined ? [] : [{ ...move, file: file.path, line, isImplied: true }];
    });
  });
}

/** Not one of an override file, which is about the same resource. */
function isDeclaration({ file }: ResourceBlock): boolean {
  return !file.override;
}

/** What the `moved` blocks of a module are about. */
function movedNames({ stateBlocks }: ConfigModule): ReadonlySet<string> {
  return new Set(
    stateBlocks.flatMap(({ kind, from = '', to = '' }) =>
      kind === 'moved' ? [from, to].map(withoutKeys) : [],
    ),
  );
}

/** Most resources have no such argument: what has not the word need not be taken apart. */
function isGiven(
  { resources }: ConfigModule,
  resource: ResourceBlock,
  argument: keyof typeof WORDS,
): boolean {
  return declarationsOf(resources, resource).some(
    ({ file, block }) =>
      WORDS[argument].test(file.text.slice(block.range.start, block.range.end)) &&
      readBody(file, block).has(argument),
  );
}
