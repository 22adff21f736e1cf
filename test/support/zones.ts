/** Zones of the built-in scenarios. */
export const ENTERPRISE = 'e0000000000000000000000000000001';
export const PRO = 'b0000000000000000000000000000002';
export const NOT_ELIGIBLE = 'c0000000000000000000000000000003';
export const MIGRATED = 'd0000000000000000000000000000004';

/** An identifier: a digit, then a number. */
export function idOf(digit: string, number: number): string {
  return digit + number.toString(16).padStart(31, '0');
}

/** A scenario with one zone; Enterprise unless told. */
export function oneZone(zone: object = {}, settings: object = {}): object {
  const defaults = { id: ENTERPRISE, name: 'shop.example.com', plan: 'enterprise' };
  return { name: 'one', settings, zones: [{ ...defaults, ...zone }] };
}
