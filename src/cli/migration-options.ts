import { resolve } from 'node:path';
import { type Command as Commander, Option } from 'commander';
import { type EntryPointSource } from '../zone/prepare-entry-point';
import { readSavedRuleset } from '../generate/write/read-saved-ruleset';
import { type RulesetSource } from '../generate/write/read-source';
import { type CliContext } from './context';

/** Where the configuration of a migration call comes from: the flags of `generate`. */
export interface MigrationOptions {
  readonly source?: RulesetSource;
  readonly config?: string;
}

/** Adds the flags of {@link MigrationOptions}. */
export function withMigrationSource(command: Commander): Commander {
  return command
    .addOption(
      new Option(
        '--source <source>',
        'config: what the service proposes, live: what stands; auto: config, unless they differ',
      )
        .choices(['auto', 'config', 'live'])
        .default('auto'),
    )
    .option(
      '--config <file>',
      'a saved answer of either, edited or not, that the stack was made from',
    );
}

/** @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY` */
export async function readMigrationSource(
  { source = 'auto', config }: MigrationOptions,
  { cwd }: CliContext,
): Promise<EntryPointSource> {
  if (config === undefined) return { source };
  return { source, given: await readSavedRuleset(resolve(cwd, config), source) };
}
