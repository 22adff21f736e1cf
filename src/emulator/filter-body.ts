import * as z from 'zod';
import { checkExpression } from './expression/check';

/** An expression that parses; the message is the service's way of saying where it does not. */
export const filterExpression = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const message = checkExpression(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const readOnly = z.unknown().optional();
const text = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((given) => given ?? undefined);

/** Fields of a filter that a write sets. */
export const filterFields = {
  expression: filterExpression,
  paused: z.boolean().default(false),
  description: text(500),
  ref: text(50),
};

/** A filter that is to be created; an id is the service's to give. */
export const newFilter = z.strictObject(filterFields);

/** A filter that is to be changed, sent as it was read. */
export const changedFilter = z.strictObject({
  ...filterFields,
  id: z.string(),
  created_on: readOnly,
  modified_on: readOnly,
});
