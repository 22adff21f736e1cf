import * as z from 'zod';
import { describeIssues, isJsonObject, parseJson } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type CleanText } from './credentials';
import {
  answerError,
  type RequestFacts,
  serviceFailure,
  type ServiceErrorEntry,
  UNSURE_HINT,
} from './failures';

/** A response as it arrived, complete. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly rayId: string | undefined;
  /** Milliseconds. */
  readonly retryAfter: number | undefined;
  /** Empty for a redirect. */
  readonly bytes: Buffer;
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** A successful response of the API (API specification, "Response envelope"). */
export interface Envelope {
  /** The raw payload; undefined if the response has none. */
  readonly result: unknown;
  /** Paging data of a list; a cursor if another page follows. */
  readonly resultInfo: Partial<z.output<typeof infoSchema>>;
  /** The response as text, for saving: parsing changes the spelling of numbers. */
  readonly text: string;
  /** Whether the request was a write, which can succeed even if its response is unreadable. */
  readonly isWrite: boolean;
  readonly rayId: string | undefined;
}

const infoSchema = z
  .object({
    total_pages: z.number().int().nonnegative().optional().catch(undefined),
    total_count: z.number().int().nonnegative().optional().catch(undefined),
    cursors: z.object({ after: z.string() }).optional().catch(undefined),
  })
  .catch({})
  .transform((info) => ({
    totalPages: info.total_pages,
    totalCount: info.total_count,
    nextCursor: info.cursors?.after || undefined,
  }));
const envelopeSchema = z.object({
  success: z.boolean(),
  result: z.unknown().optional(),
  result_info: infoSchema,
  errors: z.unknown().optional(),
});
/** The GraphQL API answers `{data, errors}`, with status 200 even for errors. */
const graphqlSchema = z
  .object({ data: z.unknown().optional(), errors: z.array(z.unknown()).nullish() })
  .transform(({ data, errors }) => ({
    success: !errors?.length && data !== null && data !== undefined,
    result: data,
    result_info: {},
    errors,
  }));

/** @throws {MigrationError} unless it reports success with a status 2xx; the cause is a `ServiceError` */
export function parseAnswer(
  answer: RequestFacts & RawAnswer,
  isGraphql: boolean,
  { clean, redact }: { readonly clean: CleanText; readonly redact: (text: string) => string },
): Envelope {
  const { isWrite, status, rayId, contentType = 'no content type' } = answer;
  if (isRedirect(status)) {
    // the target is not shown: its host can contain the token in lower case
    throw answerError(answer, 'the answer is a redirect, which is not followed');
  }
  // A replacement character would silently change a setting, so the decoder is fatal.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const text = attempt(() => redactAnswer(decoder.decode(answer.bytes), redact));
  const schema = isGraphql ? graphqlSchema : envelopeSchema;
  const parsed = schema.safeParse(parseJson(text ?? ''));
  const mayPass = status === 429 || status >= 500;
  if (!parsed.success) {
    // Gateways report an outage or a limit in HTML, so only the status counts.
    if (mayPass) throw serviceFailure(answer, []);
    const type = clean(contentType, 60);
    const head = clean(text ?? 'with bytes that are not UTF-8', 60);
    const what = head === '' ? 'is empty' : `begins ${head}`;
    throw answerError(answer, `the answer is not an API response (${type}), it ${what}`);
  }
  const { success, result, result_info: resultInfo, errors } = parsed.data;
  if (!success || mayPass) throw serviceFailure(answer, parseErrorEntries(errors, clean));
  if (status < 200 || status >= 300) {
    throw answerError(answer, 'the answer reports success, but its HTTP status is an error');
  }
  return { result, resultInfo, text: text ?? '', isWrite, rayId };
}

/** Redacts the credentials in the text of an answer, also with escaped characters. */
function redactAnswer(text: string, redact: (text: string) => string): string {
  const answer = text.includes('\\') ? parseJson(text) : undefined;
  const written = answer === undefined ? text : JSON.stringify(answer);
  return redact(redact(written) === written ? text : written);
}

const entryFields = {
  code: z.number().int().optional().catch(undefined),
  message: z.string().catch(''),
  source: z.object({ pointer: z.string() }).optional().catch(undefined),
};
const entrySchema = z.object({
  ...entryFields,
  error_chain: z.array(z.object(entryFields)).catch([]),
});

/**
 * Parses `errors` of a response in any shape. The entries of `error_chain` follow their entry: for
 * 6003 only they contain the reason.
 */
function parseErrorEntries(errors: unknown, clean: CleanText): ServiceErrorEntry[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .flatMap((entry: unknown) => {
      const { data } = entrySchema.safeParse(isJsonObject(entry) ? entry : { message: entry });
      return data === undefined ? [] : [data, ...data.error_chain];
    })
    .filter(({ code, message }) => code !== undefined || message !== '')
    .map(({ code, message, source }) => ({
      code,
      message: clean(message),
      pointer: source && clean(source.pointer),
    }));
}

/** @throws {MigrationError} `API_RESPONSE_INVALID`, with each invalid field (zod names no values) */
export function parseResult<T>(schema: z.ZodType<T>, envelope: Envelope, about: string): T {
  const parsed = schema.safeParse(envelope.result);
  if (parsed.success) return parsed.data;
  const { isWrite, rayId } = envelope;
  const ray = rayId === undefined ? '' : `, ray ${rayId}`;
  throw new MigrationError(
    'API_RESPONSE_INVALID',
    `${about}: the answer has an unknown shape (${printable(describeIssues(parsed.error, 'result'), 300)})${ray}`,
    { hint: isWrite ? UNSURE_HINT : undefined },
  );
}
