import { type z } from 'zod';
import { Refusal } from './refusal';

/**
 * Parses the body of a write, or refuses it with 400: one error for each field that is wrong, each
 * with a pointer to it. The code is the interface's own; that these are the service's exact codes
 * is not known (docs/emulator.md, "Assumed"). An issue may bring its own as `params.code`.
 */
export function accept<T>(schema: z.ZodType<T>, body: unknown, code: number): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(
    400,
    parsed.error.issues.flatMap(faultsOf).map((fault) => ({
      code: fault.code ?? code,
      message: fault.message,
      source: { pointer: pointerTo(fault.path) },
    })),
  );
}

/** A field that is wrong. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: number;
}

/** The fields that an issue of a schema is about: one for each key that is unknown. */
export function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field "${key}"` }));
  }
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return [{ path, message, ...(typeof code === 'number' ? { code } : {}) }];
}

/** RFC 6901: `~` and `/` inside a key are escaped. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
