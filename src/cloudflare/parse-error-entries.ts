import * as z from 'zod';
import { type CleanText } from './clean-text';
import { type ServiceErrorEntry } from './service-error';

const MAX_ENTRIES = 50;

const entrySchema = z.object({
  code: z
    .union([z.number().int(), z.string().regex(/^\d{1,9}$/)])
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
  source: z.object({ pointer: z.string() }).optional().catch(undefined),
  error_chain: z.array(z.unknown()).optional().catch(undefined),
});

/**
 * Reads `errors` of an answer, whatever it holds: an error must not be lost because it is badly
 * told. `error_chain` is laid out behind its entry: with 6003 the reason stands only there.
 */
export function parseErrorEntries(errors: unknown, clean: CleanText): ServiceErrorEntry[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .slice(0, MAX_ENTRIES)
    .flatMap((entry: unknown) => parseEntry(entry, clean, 3))
    .slice(0, MAX_ENTRIES);
}

function parseEntry(entry: unknown, clean: CleanText, depth: number): ServiceErrorEntry[] {
  if (typeof entry === 'string') return [{ message: clean(entry) }];
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success || depth === 0) return [];
  const { code, message, source, error_chain: chain } = parsed.data;
  const own = {
    ...(code === undefined ? {} : { code: Number(code) }),
    message: clean(message ?? ''),
    ...(source === undefined ? {} : { pointer: clean(source.pointer) }),
  };
  const causes = (chain ?? []).slice(0, MAX_ENTRIES);
  const known = code !== undefined || own.message !== '';
  return [...(known ? [own] : []), ...causes.flatMap((one) => parseEntry(one, clean, depth - 1))];
}
