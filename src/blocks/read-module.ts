import { type ConfigBlock, type ConfigFile } from './config-file';
import {
  type ConfigModule,
  type ModuleCall,
  type ProviderBlock,
  type ProviderRequirement,
  type ResourceBlock,
  type StateBlock,
} from './config-module';
import { isList, objectsOf, referenceOf, stringOf } from './config-value';
import { groupBy } from './group-by';
import { readBody } from './read-body';

const known = new Set(['resource', 'data', 'module', 'provider', 'import', 'moved', 'removed']);

/** Sorts the blocks of one folder by what they are; files in the order of their names. */
export function readModule(dir: string, files: readonly ConfigFile[]): ConfigModule {
  const ordered = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = ordered.flatMap((file) => file.blocks.map((block) => ({ file, block })));
  const byType = groupBy(all, ({ block }) => block.type);
  const pick = <Found>(type: string, read: (file: ConfigFile, block: ConfigBlock) => Found[]) =>
    (byType.get(type) ?? []).flatMap(({ file, block }) => read(file, block));
  return {
    dir,
    files: ordered,
    resources: all.flatMap(({ file, block }) => readResource(file, block)),
    calls: mergeCalls(byType.get('module') ?? []),
    providers: pick('provider', readProvider),
    requirements: pick('terraform', readRequirements),
    stateBlocks: (['import', 'moved', 'removed'] as const).flatMap((kind) =>
      pick(kind, (file, block) => [readStateBlock(kind, file, block)]),
    ),
    others: all.flatMap(({ block }) => (known.has(block.type) ? [] : [block])),
  };
}

function readResource(file: ConfigFile, block: ConfigBlock): ResourceBlock[] {
  const [type, name] = block.labels;
  if (type === undefined || name === undefined) return [];
  if (block.type !== 'resource' && block.type !== 'data') return [];
  return [{ mode: block.type === 'data' ? 'data' : 'managed', type, name, block, file }];
}

interface Placed {
  readonly file: ConfigFile;
  readonly block: ConfigBlock;
}

/** One call a name; what an override file says about it comes last and wins. */
function mergeCalls(all: readonly Placed[]): ModuleCall[] {
  const calls = new Map<string, ModuleCall>();
  const inOrder = [
    ...all.filter(({ file }) => !file.override),
    ...all.filter(({ file }) => file.override),
  ];
  for (const { file, block } of inOrder) {
    const [name] = block.labels;
    if (name === undefined) continue;
    const before = calls.get(name);
    const body = readBody(file, block);
    const source = body.get('source');
    calls.set(name, {
      name,
      source: source === undefined ? before?.source : stringOf(source),
      isRepeated: before?.isRepeated === true || body.has('count') || body.has('for_each'),
      blocks: [...(before?.blocks ?? []), block],
    });
  }
  return [...calls.values()];
}

function readProvider(file: ConfigFile, block: ConfigBlock): ProviderBlock[] {
  const [name = ''] = block.labels;
  return [{ name, alias: stringOf(readBody(file, block).get('alias')), block }];
}

/** Both forms: an object with source and version, and the version alone (Terraform 0.12). */
function readRequirements(file: ConfigFile, block: ConfigBlock): ProviderRequirement[] {
  return objectsOf(readBody(file, block).get('required_providers')).flatMap((providers) =>
    [...providers].map(([name, value]) => {
      const [entry] = objectsOf(value);
      const aliases = entry?.get('configuration_aliases');
      return {
        name,
        source: stringOf(entry?.get('source')),
        version: stringOf(entry === undefined ? value : entry.get('version')),
        aliases: isList(aliases) ? aliases.flatMap((one) => referenceOf(one) ?? []) : [],
        block,
      };
    }),
  );
}

function readStateBlock(
  kind: StateBlock['kind'],
  file: ConfigFile,
  block: ConfigBlock,
): StateBlock {
  const body = readBody(file, block);
  const [from, to, id] = ['from', 'to', 'id'].map((name) => referenceOf(body.get(name)));
  const keeps = objectsOf(body.get('lifecycle')).some((one) => one.get('destroy') === false);
  return { kind, from, to, id, keeps, block };
}
