import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type LineIndex } from './line-index';

/** Says where and why a file cannot be read; quotes nothing of it, since it may hold a secret. */
export function configFault(
  path: string,
  lines: LineIndex,
  offset: number,
  what: string,
): MigrationError {
  const { line, column } = lines.position(offset);
  return new MigrationError('CONFIG_INVALID', `${printable(path)}:${line}:${column}: ${what}`);
}
