import * as z from 'zod';
import { errorEntry, Refusal } from './refusal';

/**
 * Parses the body of a write, or refuses it with 400 and one error for each invalid field. Each
 * error has a JSON pointer. The code is the endpoint's; the exact codes of the Cloudflare API are
 * not known (docs/emulator.md, "Assumed").
 */
export function accept<T>(schema: z.ZodType<T>, body: unknown, code: number): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap(faultsOf);
  const errors = faults.map(({ path, message }) => errorEntry(code, message, pointerTo(path)));
  throw new Refusal(400, errors);
}

/** The invalid fields of a schema issue: one for each unknown key. */
function faultsOf(issue: z.core.$ZodIssue) {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field "${key}"` }));
}

/** RFC 6901: `~` and `/` inside a key are escaped. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Checks a value and keeps it unchanged: responses repeat its unknown fields and their order. */
export const unchanged = <T>(shape: z.ZodType): z.ZodType<T> =>
  z.custom<T>().superRefine((value, context) => {
    addIssues(shape.safeParse(value).error, context);
  });

export function addIssues(error: z.ZodError | undefined, context: z.RefinementCtx): void {
  for (const { path, message } of error?.issues.flatMap(faultsOf) ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
}

/** A field that can be null or left out, which is the same. */
export const orAbsent = <T>(schema: z.ZodType<T>) =>
  schema.nullish().transform((given) => given ?? undefined);

/** A read-only field: a write may include it, but it has no effect. */
export const readOnly = z.unknown().optional();

/** An expression whose quotes and brackets close, and that neither begins nor ends with an operator. */
export const expressionField = z.string().refine(isComplete, 'Filter parsing error');

const STRING = /\br(#*)"[^]*?"\1|"(?:[^"\\]|\\[^])*"/g;
const INNERMOST = /\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g;
const WORDS = 'and|or|xor|eq|ne|lt|le|gt|ge|contains|matches|wildcard|in';
const BEGINS = new RegExp(String.raw`^(?:(?:${WORDS})\b|[&|^=<>~]|!=)`);
const ENDS = new RegExp(String.raw`(?:(?<![\w.])(?:${WORDS}|not)|[&|^=<>~!])$`);

/** The rest of the grammar, and whether fields and functions exist, is not checked. */
function isComplete(expression: string): boolean {
  let text = expression.replace(STRING, ' x ');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(INNERMOST, ' x ');
  }
  text = text.trim();
  return text !== '' && !/["()[\]{}]/.test(text) && !BEGINS.test(text) && !ENDS.test(text);
}
