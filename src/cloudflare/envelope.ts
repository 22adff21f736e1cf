import * as z from 'zod';
import { isJsonObject, parseJson } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type CleanText } from './credentials';
import {
  type AnswerFacts,
  responseInvalid,
  serviceFailure,
  type ServiceErrorEntry,
  UNSURE_HINT,
} from './failures';

/** Paging data of a list; each field can be missing. */
interface ResultInfo {
  readonly totalPages?: number | undefined;
  /** Set if another page follows, in lists with cursor paging. */
  readonly nextCursor?: string | undefined;
}

/** A successful response of the API (service.md, "Response envelope"). */
export interface Envelope {
  /** The raw payload; undefined if the response has none. */
  readonly result: unknown;
  readonly resultInfo: ResultInfo;
  /** The raw response, for saving: parsing changes the spelling of numbers. */
  readonly text: string;
  /** Whether the request was a write, which can succeed even if its response is unreadable. */
  readonly isWrite: boolean;
  readonly rayId: string | undefined;
}

/** A raw response, with the data that its errors need. */
export interface WireAnswer extends AnswerFacts {
  readonly contentType: string | undefined;
  /** Target of a redirect. */
  readonly location: string | undefined;
  readonly bytes: Buffer;
}

const infoSchema = z
  .object({
    total_pages: z.number().int().nonnegative().optional().catch(undefined),
    cursors: z.object({ after: z.string() }).optional().catch(undefined),
  })
  .catch({})
  .transform((info) => ({
    totalPages: info.total_pages,
    nextCursor: info.cursors?.after || undefined,
  }));
const envelopeSchema = z.object({
  success: z.boolean(),
  result: z.unknown().optional(),
  result_info: infoSchema,
  errors: z.unknown().optional(),
});

/**
 * Parses any response.
 * @throws {MigrationError} unless it is an envelope with `success: true` and a status 2xx; the
 * cause is a `ServiceError`
 */
export function parseEnvelope(answer: WireAnswer, clean: CleanText): Envelope {
  const { isWrite, status, rayId } = answer;
  if (status >= 300 && status < 400) {
    throw responseInvalid(answer, `redirected to ${hostOf(answer.location, clean)}`);
  }
  const text = decode(answer.bytes);
  const parsed = envelopeSchema.safeParse(parseJson(text ?? ''));
  if (!parsed.success) {
    // Gateways report an outage or a limit in HTML, so only the status counts.
    if (status === 429 || status >= 500) throw serviceFailure(answer, []);
    throw responseInvalid(answer, describe(answer, text, clean));
  }
  const { success, result, result_info: resultInfo, errors } = parsed.data;
  if (!success || status >= 500 || status === 429) {
    throw serviceFailure(answer, parseErrorEntries(errors, clean));
  }
  if (status < 200 || status >= 300) {
    throw responseInvalid(answer, 'the answer reports success, but its HTTP status is an error');
  }
  return { result, resultInfo, text: text ?? '', isWrite, rayId };
}

const graphqlSchema = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.unknown()).nullish(),
});

/**
 * Parses a response of the GraphQL API. It has no envelope but `{data, errors}`, with status 200
 * even for errors.
 * @throws MigrationError as {@link parseEnvelope}
 */
export function parseGraphql(answer: WireAnswer, clean: CleanText): Envelope {
  const { isWrite, status, rayId } = answer;
  const text = answer.bytes.toString('utf8');
  const parsed = graphqlSchema.safeParse(parseJson(text));
  if (status === 429 || status >= 500) throw serviceFailure(answer, []);
  if (!parsed.success) throw responseInvalid(answer, 'the answer is not a GraphQL response');
  const { data, errors } = parsed.data;
  if (status >= 400 || (errors?.length ?? 0) > 0 || data === null || data === undefined) {
    throw serviceFailure(answer, parseErrorEntries(errors, clean));
  }
  return { result: data, resultInfo: {}, text, isWrite, rayId };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The decoder is fatal, because a replacement character would silently change a setting. */
const decode = (bytes: Buffer): string | undefined => attempt(() => decoder.decode(bytes));

function describe(answer: WireAnswer, text: string | undefined, clean: CleanText): string {
  const type = clean(answer.contentType ?? 'no content type', 60);
  if (text === undefined) return `the answer is not UTF-8 (${type})`;
  const head = clean(text, 60);
  const what = parseJson(text) === undefined ? 'is not JSON' : 'is not an envelope';
  const begins = head === '' ? 'it is empty' : `it begins ${head}`;
  return `the answer ${what} (${type}), ${begins}`;
}

function hostOf(location: string | undefined, clean: CleanText): string {
  if (location === undefined) return 'nowhere';
  return URL.canParse(location) ? clean(new URL(location).host, 100) : 'another path';
}

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
 * Parses `errors` of a response in any shape, so that no malformed error is lost. The entries of
 * `error_chain` follow their entry: for 6003 only they contain the reason.
 */
function parseErrorEntries(errors: unknown, clean: CleanText): ServiceErrorEntry[] {
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
  const { code, message, source, error_chain: chain = [] } = parsed.data;
  const own = {
    ...(code !== undefined && { code: Number(code) }),
    message: clean(message ?? ''),
    ...(source !== undefined && { pointer: clean(source.pointer) }),
  };
  const isKnown = code !== undefined || own.message !== '';
  const causes = chain.slice(0, MAX_ENTRIES).flatMap((one) => parseEntry(one, clean, depth - 1));
  return [...(isKnown ? [own] : []), ...causes];
}

/**
 * Validates the payload of a response against a schema.
 *
 * @param about - the start of the message: `zone 0123…`
 * @throws {MigrationError} `API_RESPONSE_INVALID`, with each invalid field (zod names fields and
 * types, never values)
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
 * The payload as an object, with unknown fields.
 * @throws {MigrationError} `API_RESPONSE_INVALID`
 */
export function parseObject(envelope: Envelope, about: string): Readonly<Record<string, unknown>> {
  const { result } = envelope;
  if (isJsonObject(result)) return result;
  throw unknownShape(envelope, about, 'result: invalid input: expected an object');
}

function unknownShape({ isWrite, rayId }: Envelope, about: string, what: string): MigrationError {
  const ray = rayId === undefined ? '' : `, ray ${rayId}`;
  return new MigrationError(
    'API_RESPONSE_INVALID',
    `${about}: the answer has an unknown shape (${printable(what, 300)})${ray}`,
    isWrite ? { hint: UNSURE_HINT } : {},
  );
}
