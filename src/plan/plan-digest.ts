import { createHash } from 'node:crypto';
import { type Plan } from './plan';

/** The plan with its digest behind the version, where a reader looks for it. */
export function withDigest(plan: Omit<Plan, 'digest'>): Plan {
  const { format, formatVersion, ...rest } = plan;
  return { format, formatVersion, digest: digestOf(plan), ...rest };
}

/** Sha256, in hexadecimal, of the plan without its digest: of its JSON with sorted keys. */
export function digestOf(plan: Omit<Plan, 'digest'> & { readonly digest?: string }): string {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  const content = JSON.stringify({ format, formatVersion, zones, states, steps, findings }, sorted);
  return createHash('sha256').update(content).digest('hex');
}

/** Objects that are the same are written the same, whoever built or reformatted them. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
