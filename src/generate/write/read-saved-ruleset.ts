import { type ParsedRuleset, parseRuleset, type RulesetOrigin } from '../../ruleset/parse-ruleset';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { readJsonFile } from '../../files/read-json-file';
import { type RulesetSource } from './read-source';

/**
 * Reads the ruleset from a saved answer of the configuration endpoint or of the entry point; which
 * of the two it is, it says itself.
 * @param source what the user says that it is; `auto` says nothing
 * @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY`
 */
export async function readSavedRuleset(
  path: string,
  source: RulesetSource,
): Promise<ParsedRuleset> {
  const parsed = parseRuleset(await readJsonFile(path));
  if (source !== 'auto' && parsed.origin !== source) {
    throw new MigrationError(
      'RULESET_INVALID',
      `${printable(path)} is a saved answer of ${nameOf(parsed.origin)}, not of ${nameOf(source)}`,
      { hint: 'leave out --source, or pass the file that you mean' },
    );
  }
  return parsed;
}

function nameOf(source: RulesetOrigin): string {
  return source === 'live' ? 'the entry point' : 'the migration config';
}
