import { type z } from 'zod';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type Envelope } from './envelope';

/**
 * Gives the payload of an answer its type.
 *
 * @param about - the head of the message: `zone 0123…`
 * @throws {MigrationError} `API_RESPONSE_INVALID`, naming each field that is not as it should be
 * (zod names fields and types, never values)
 */
export function parseResult<T>(schema: z.ZodType<T>, envelope: Envelope, about: string): T {
  const parsed = schema.safeParse(envelope.result);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => {
    const place = ['result', ...path.map(String)].join('.');
    return `${place}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  });
  const ray = envelope.rayId === undefined ? '' : `, ray ${envelope.rayId}`;
  throw new MigrationError(
    'API_RESPONSE_INVALID',
    `${about}: the answer has an unknown shape (${printable(issues.join('; '), 300)})${ray}`,
  );
}
