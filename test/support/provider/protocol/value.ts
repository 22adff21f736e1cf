import { decode, encode, ExtData, ExtensionCodec } from '@msgpack/msgpack';

/** A value that Terraform will only know after apply. */
export class Unknown {
  toJSON(): string {
    return '(unknown)';
  }
}
export const UNKNOWN = new Unknown();

export type Value = null | string | number | boolean | Unknown | Value[] | ObjectValue;
export interface ObjectValue {
  [name: string]: Value;
}

const codec = new ExtensionCodec();
// Every extension type is an unknown: usually 0, and 12 if Terraform knows something about it.
for (const type of [0, 12]) {
  codec.register({
    type,
    encode: (value) => (type === 0 && value instanceof Unknown ? new Uint8Array([0]) : null),
    decode: () => UNKNOWN,
  });
}

export interface DynamicValue {
  msgpack: Uint8Array;
}

export function encodeValue(value: Value): DynamicValue {
  return { msgpack: encode(value, { extensionCodec: codec }) };
}

export function decodeValue(value: DynamicValue | null): Value {
  if (value === null || value.msgpack.length === 0) return null;
  const decoded = decode(value.msgpack, { extensionCodec: codec });
  if (decoded instanceof ExtData) throw new Error(`unknown msgpack extension ${decoded.type}`);
  return decoded as Value;
}

export function isObject(value: Value | undefined): value is ObjectValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown)
  );
}

/** Equality of values, deep; two unknowns are never known to be equal, so they differ. */
export function sameValue(left: Value | undefined, right: Value | undefined): boolean {
  if (left instanceof Unknown || right instanceof Unknown) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => sameValue(item, right[at]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => key in right && sameValue(left[key], right[key]))
    );
  }
  return left === right;
}

/** A value that is text, and "" for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
