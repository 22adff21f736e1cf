import * as z from 'zod';
import { OUTCOMES } from './events';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
/** DuckDB gives bigint. */
const count = z.coerce.number().int().nonnegative();

/** One row of the result table, whichever engine made it. */
export const resultRowSchema = z.object({
  section: z.enum([
    ...(['event', 'request', 'rule', 'path', 'host', 'country', 'client'] as const),
    ...(['sample', 'hour'] as const),
  ]),
  outcome: z
    .enum([...OUTCOMES, ''])
    .nullish()
    .transform((value) => value ?? ''),
  side: z
    .enum(['legacy', 'new', ''])
    .nullish()
    .transform((value) => value ?? ''),
  rule_id: text,
  verdict: count,
  item: text,
  host: text,
  method: text,
  path: text,
  query_string: text,
  client: text,
  requests: count,
  clients: count,
  first_seen: text,
  last_seen: text,
});

/** A row of {@link resultRowSchema}. */
export type ResultRow = z.infer<typeof resultRowSchema>;
