import { type ConfigBlock, type ConfigFile } from './config-file';

/** A `resource` or `data` block. */
export interface ResourceBlock {
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly block: ConfigBlock;
  readonly file: ConfigFile;
}

/** A call of another module, overrides merged in. */
export interface ModuleCall {
  readonly name: string;
  /** Undefined where it is no literal. */
  readonly source: string | undefined;
  /** Whether it has `count` or `for_each`. */
  readonly isRepeated: boolean;
  /** The block, and those that override it. */
  readonly blocks: readonly ConfigBlock[];
}

/** A `provider` block. */
export interface ProviderBlock {
  readonly name: string;
  readonly alias: string | undefined;
  readonly block: ConfigBlock;
}

/** An entry of `required_providers`. */
export interface ProviderRequirement {
  /** The local name: `cloudflare`. */
  readonly name: string;
  readonly source: string | undefined;
  readonly version: string | undefined;
  /** `configuration_aliases`, as references. */
  readonly aliases: readonly string[];
  readonly block: ConfigBlock;
}

/** An `import`, `moved` or `removed` block; the addresses as they are written. */
export interface StateBlock {
  readonly kind: 'import' | 'moved' | 'removed';
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly id: string | undefined;
  /** Whether a `removed` block says that nothing is destroyed. */
  readonly keeps: boolean;
  readonly block: ConfigBlock;
}

/** The configuration of one folder, which is what Terraform calls a module. */
export interface ConfigModule {
  /** Relative to the folder of the plan; `.` for that one. */
  readonly dir: string;
  readonly files: readonly ConfigFile[];
  readonly resources: readonly ResourceBlock[];
  readonly calls: readonly ModuleCall[];
  readonly providers: readonly ProviderBlock[];
  readonly requirements: readonly ProviderRequirement[];
  readonly stateBlocks: readonly StateBlock[];
  /** Outputs, locals, variables, checks and all other blocks. */
  readonly others: readonly ConfigBlock[];
}

/** A call whose module is not among the files: its blocks are somebody else's to edit. */
export interface UnreadCall {
  /** The folder that calls. */
  readonly dir: string;
  readonly name: string;
  readonly source: string | undefined;
  readonly why: 'remote' | 'missing' | 'not literal';
}

/** A configuration with all modules that lie beside it. */
export interface ConfigProject {
  /** The folder that Terraform runs in, relative to the folder of the plan. */
  readonly root: string;
  /** The configuration of that folder. */
  readonly rootModule: ConfigModule;
  /** All of them by their folders, the root first. */
  readonly modules: ReadonlyMap<string, ConfigModule>;
  readonly unread: readonly UnreadCall[];
}

/** The folder of a call's module; undefined when it is no local one. */
export function calledFolder(dir: string, source: string | undefined): string | undefined {
  if (source === undefined || !/^\.\.?(?:[/\\]|$)/.test(source)) return undefined;
  const parts: string[] = [];
  for (const part of `${dir}/${source.replaceAll('\\', '/')}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}
