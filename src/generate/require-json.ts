import { isJsonObject, type JsonValue } from '../model/json';
import { MigrationError } from '../model/migration-error';

/** The service nests seven deep; far more is no answer of it, and would end in a stack overflow. */
const DEEPEST = 64;

/**
 * Checks that a document is plain JSON of a sane depth, without recursion, and copies nothing: the
 * parts of an answer that the project does not know are carried as they are.
 *
 * @throws MigrationError `RULESET_INVALID`; also for a key `__proto__`, which JavaScript cannot
 *   carry through ordinary objects, and which would be lost without a word
 */
export function requireJson(document: unknown): asserts document is JsonValue {
  const waiting: [value: unknown, depth: number][] = [[document, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (depth > DEEPEST) throw refused(`is nested more than ${DEEPEST} deep`);
    if (Array.isArray(value)) {
      for (const item of value) waiting.push([item, depth + 1]);
    } else if (isJsonObject(value)) {
      if (Object.hasOwn(value, '__proto__')) throw refused('has a key "__proto__"');
      for (const item of Object.values(value)) waiting.push([item, depth + 1]);
    } else if (!isScalar(value)) throw refused(`holds a value that JSON has not: ${typeof value}`);
  }
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    Number.isFinite(value)
  );
}

function refused(what: string): MigrationError {
  return new MigrationError('RULESET_INVALID', `not an entry point ruleset: the document ${what}`);
}
