import { isObject, Unknown, type Value } from '../protocol/value';

/**
 * A plan with its unknowns filled from what the service answered, and nothing else of it: provider 5
 * keeps what was planned, whatever came back.
 */
export function mergeComputed(planned: Value, answered: Value | undefined): Value {
  if (planned instanceof Unknown) return answered ?? null;
  if (Array.isArray(planned)) {
    return planned.map((item, at) =>
      mergeComputed(item, Array.isArray(answered) ? answered[at] : undefined),
    );
  }
  if (!isObject(planned)) return planned;
  return Object.fromEntries(
    Object.entries(planned).map(([key, value]) => [
      key,
      mergeComputed(value, isObject(answered) ? answered[key] : undefined),
    ]),
  );
}
