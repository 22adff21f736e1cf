import * as z from 'zod';
import { type Outcome, OUTCOMES } from './comparison';

const count = z.coerce.number().int().nonnegative();
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const outcome = z
  .enum([...OUTCOMES, ''])
  .nullish()
  .transform((value) => value ?? '');

/** One row of the result table (answer-stage.ts), wherever it was made. */
export const resultRowSchema = z.object({
  section: z.enum(['event', 'request', 'rule', 'path', 'sample', 'set', 'hour']),
  outcome,
  side: z
    .enum(['old', 'new', ''])
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
export type ResultRow = Omit<z.infer<typeof resultRowSchema>, 'outcome'> & {
  readonly outcome: Outcome | '';
};
