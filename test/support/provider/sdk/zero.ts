import { isObject, type ObjectValue, Unknown, type Value } from '../protocol/value';
import { type Field, type Fields, type Type } from '../schema/field';

/**
 * SDKv2 does not distinguish "unset" from the zero of a type: neither in a diff, nor when a resource reads its
 * configuration.
 */
export function isZero(value: Value | undefined): boolean {
  if (value instanceof Unknown) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}

/** The value that SDKv2 stores for an unset attribute of a type. */
export function zeroOf(type: Type): Value {
  if (type === 'string') return '';
  if (type === 'number') return 0;
  if (type === 'bool') return false;
  return typeof type !== 'string' && (type[0] === 'list' || type[0] === 'set') ? [] : {};
}

function zeroField(field: Field, value: Value): Value {
  if (field.kind === 'leaf') return value ?? zeroOf(field.type);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (isObject(item) ? zeroFilled(field.fields, item) : item));
}

/** Objects of a nested block as SDKv2 writes them to state: with zeros where nothing was set. */
export function zeroFilled(fields: Fields, value: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, zeroField(field, value[name] ?? null)]),
  );
}
