import { type z } from 'zod';
import { isJsonObject } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Envelope } from './envelope';
import { UNSURE_HINT } from './service-failure';

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
  throw unknownShape(envelope, about, issues.join('; '));
}

/**
 * The payload as an object, whatever is in it. Without zod: the first request of a run goes out before that
 * is loaded.
 * @throws {MigrationError} `API_RESPONSE_INVALID`
 */
export function parseObject(envelope: Envelope, about: string): Readonly<Record<string, unknown>> {
  const { result } = envelope;
  if (isJsonObject(result)) return result;
  throw unknownShape(envelope, about, 'result: invalid input: expected an object');
}

function unknownShape({ method, rayId }: Envelope, about: string, what: string): MigrationError {
  const ray = rayId === undefined ? '' : `, ray ${rayId}`;
  return new MigrationError(
    'API_RESPONSE_INVALID',
    `${about}: the answer has an unknown shape (${printable(what, 300)})${ray}`,
    method === 'GET' ? {} : { hint: UNSURE_HINT },
  );
}
