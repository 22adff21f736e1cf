import * as z from 'zod';
import { checkExpression } from './expression/parse';
import { errorEntry, Refusal } from './refusal';

/**
 * Parses the body of a write, or refuses it with 400: one error for each field that is wrong, each
 * with a pointer to it. The code is the endpoint's own; that these are the API's exact codes
 * is not known (docs/emulator.md, "Assumed"). An issue may bring its own as `params.code`.
 */
export function accept<T>(schema: z.ZodType<T>, body: unknown, code: number): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap(faultsOf);
  throw new Refusal(
    400,
    faults.map((fault) => errorEntry(fault.code ?? code, fault.message, pointerTo(fault.path))),
  );
}

/** A field that is wrong. */
interface FieldFault {
  readonly path: PropertyKey[];
  readonly message: string;
  readonly code?: number;
}

/** The fields that an issue of a schema is about: one for each key that is unknown. */
function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field "${key}"` }));
  }
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return [{ path, message, ...(typeof code === 'number' && { code }) }];
}

/** RFC 6901: `~` and `/` inside a key are escaped. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Adds what another schema finds wrong with a value, with the place of each fault. */
export function checkWith(schema: z.ZodType, value: unknown, context: z.RefinementCtx): void {
  for (const { path, message } of schema.safeParse(value).error?.issues.flatMap(faultsOf) ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
}

/** A field that may be sent back as it was read, and changes nothing. */
export const readOnly = z.unknown().optional();

/** An expression that parses; `describe` makes the message of what is wrong with it. */
export const expressionField = (
  describe: (wrong: string, text: string) => string = (wrong) => wrong,
): z.ZodType<string> =>
  z.string().superRefine((text, context) => {
    const wrong = checkExpression(text);
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: describe(wrong, text) });
  });
