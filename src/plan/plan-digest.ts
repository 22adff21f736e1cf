import { createHash } from 'node:crypto';
import { type Plan } from './plan';

/** The plan with its digest behind the version, where a reader looks for it. */
export function withDigest(plan: Omit<Plan, 'digest'>): Plan {
  const { format, formatVersion, ...rest } = plan;
  return { format, formatVersion, digest: digestOf(plan), ...rest };
}

/** Sha256, in hexadecimal, of the plan without its digest: of its JSON with sorted keys. */
export function digestOf(plan: { readonly [Field in keyof Plan]?: unknown }): string {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  const content = sorted({ format, formatVersion, zones, states, steps, findings });
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Objects that are the same are written the same, whoever built or reformatted them. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // long lists of addresses, as they are
  if (Array.isArray(value)) return value.every(isText) ? value : value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, sorted(one)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
