import { type ObjectValue, type Value } from '../protocol/value';
import { type Field, type Fields, type Type } from './field';

/** A value that does not match a schema; `at` is the path. */
export class ShapeError extends Error {
  constructor(at: string, problem: string) {
    super(`${at}: ${problem}`);
  }
}

interface Options {
  /** Refuse attributes that the schema does not have, instead of dropping them. */
  strict?: boolean;
}

/**
 * JSON as a value of a schema: what is missing becomes null (a block: an empty list).
 *
 * @throws {ShapeError} if a part has another type than in the schema
 */
export function conform(
  fields: Fields,
  json: unknown,
  options: Options = {},
  at = '',
): ObjectValue {
  if (!isRecord(json)) throw new ShapeError(at, `invalid JSON, expected "{", got ${quote(json)}`);
  if (options.strict) {
    // Checked in the order of the file, as in the real decoder: the first difference is reported.
    for (const [name, value] of Object.entries(json)) {
      const field = fields[name];
      if (field === undefined) {
        throw new ShapeError(join(at, name), `unsupported attribute ${JSON.stringify(name)}`);
      }
      conformField(field, value, options, join(at, name));
    }
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      conformField(field, json[name], options, join(at, name)),
    ]),
  );
}

function conformField(field: Field, json: unknown, options: Options, at: string): Value {
  if (json === undefined || json === null) {
    return field.kind === 'block' && field.nesting !== 'single' ? [] : null;
  }
  if (field.kind === 'leaf') return conformType(field.type, json, at);
  if (field.nesting === 'single') return conform(field.fields, json, options, at);
  if (field.nesting === 'map') {
    if (!isRecord(json)) throw new ShapeError(at, `invalid JSON, expected "{", got ${quote(json)}`);
    return mapEntries(json, (item, key) => conform(field.fields, item, options, join(at, key)));
  }
  if (!Array.isArray(json))
    throw new ShapeError(at, `invalid JSON, expected "[", got ${quote(json)}`);
  return json.map((item, index) => conform(field.fields, item, options, `${at}[${index}]`));
}

function conformType(type: Type, json: unknown, at: string): Value {
  if (json === null || json === undefined) return null;
  if (typeof type === 'string') {
    const expected = type === 'bool' ? 'boolean' : type;
    if (type !== 'dynamic' && typeof json !== expected) {
      throw new ShapeError(at, `invalid JSON, expected ${type}, got ${quote(json)}`);
    }
    return json as Value;
  }
  if (type[0] === 'object') {
    if (!isRecord(json)) throw new ShapeError(at, `invalid JSON, expected "{", got ${quote(json)}`);
    return mapEntries(type[1], (part, key) => conformType(part, json[key], join(at, key)));
  }
  const item = type[1];
  if (type[0] === 'map') {
    if (!isRecord(json)) throw new ShapeError(at, `invalid JSON, expected "{", got ${quote(json)}`);
    return mapEntries(json, (value, key) => conformType(item, value, join(at, key)));
  }
  if (!Array.isArray(json))
    throw new ShapeError(at, `invalid JSON, expected "[", got ${quote(json)}`);
  return json.map((value, index) => conformType(item, value, `${at}[${index}]`));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapEntries<A>(record: Record<string, A>, change: (value: A, key: string) => Value) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function quote(json: unknown): string {
  return JSON.stringify(json).slice(0, 80);
}
