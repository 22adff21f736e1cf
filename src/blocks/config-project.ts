import { type ConfigModule } from './config-module';

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
