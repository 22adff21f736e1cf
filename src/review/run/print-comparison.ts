import { resolve } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { EVENT_COLUMNS } from '../events';
import { AS_LOGGED, intendedActions } from '../intended-actions';
import { comparisonQuery } from '../sql/comparison-query';
import { dialects, type SqlEngine } from '../sql/dialect';
import { builtInCatalogue } from '../../translate/catalogue/built-in-catalogue';
import { readSavedRuleset } from '../../generate/write/read-saved-ruleset';

/** For which engine, over which table. */
export interface ComparisonOrder {
  readonly engine: SqlEngine;
  /** `name`, `schema.name` or `catalog.schema.name`. */
  readonly table: string;
  readonly configFile?: string | undefined;
  readonly cwd: string;
}

/**
 * The comparison as one query for an engine elsewhere, over a table with the columns of the export.
 * @throws MigrationError `USAGE`, and those of reading the configuration
 */
export async function printComparison(order: ComparisonOrder): Promise<string> {
  const { engine, table, configFile, cwd } = order;
  const dialect = dialects[engine];
  const parts = table.split('.');
  if (parts.length > 3 || parts.some((part) => part === '' || /\p{Cc}/u.test(part))) {
    throw new MigrationError('USAGE', `--table "${printable(table, 80)}" is no name of a table`);
  }
  const intended =
    configFile === undefined
      ? AS_LOGGED
      : intendedActions(
          (await readSavedRuleset(resolve(cwd, configFile), 'auto')).ruleset.rules,
          builtInCatalogue(),
        ).intended;
  return comparisonQuery(dialect, {
    table: parts.map(dialect.quoteName).join('.'),
    // the log export is not sampled and has no such column
    present: EVENT_COLUMNS.filter((column) => column !== 'SampleInterval'),
    intended,
  });
}
