import * as z from 'zod';
import { parseJson } from '../core/json';
import { attempt } from '../core/migration-error';
import { type CleanText } from './clean-text';
import { type ServiceErrorEntry } from './service-error';
import { type AnswerFacts, responseInvalid, serviceFailure } from './service-failure';

/** What a page of a list says about itself; each field may be missing. */
interface ResultInfo {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly totalPages?: number | undefined;
  /** Of all pages together. */
  readonly totalCount?: number | undefined;
  /** Set when another page follows, in lists that are paged by cursor. */
  readonly nextCursor?: string | undefined;
}

/** A successful answer of the service (service.md, "Response envelope"). */
export interface Envelope {
  /** The payload, as it came; undefined when the answer has none. */
  readonly result: unknown;
  readonly resultInfo: ResultInfo;
  /** What the service wants to say beside it; hostile text. */
  readonly messages: readonly unknown[];
  /** The answer as it came, for who saves it: parsing loses the spelling of numbers. */
  readonly text: string;
  /** Of the request: a write whose answer cannot be read may have been done. */
  readonly method: string;
  readonly status: number;
  readonly rayId: string | undefined;
}

/** An answer as it came from the wire, with what its errors need. */
export interface WireAnswer extends AnswerFacts {
  readonly contentType: string | undefined;
  /** Target of a redirect. */
  readonly location: string | undefined;
  readonly bytes: Buffer;
}

const numberSchema = z.number().int().nonnegative().optional().catch(undefined);
const infoSchema = z
  .object({
    page: numberSchema,
    per_page: numberSchema,
    total_pages: numberSchema,
    total_count: numberSchema,
    cursors: z.object({ after: z.string() }).optional().catch(undefined),
  })
  .catch({});
const envelopeSchema = z.object({
  success: z.boolean(),
  result: z.unknown().optional(),
  result_info: infoSchema,
  messages: z.array(z.unknown()).catch([]),
  errors: z.unknown().optional(),
});

/**
 * Reads any answer.
 *
 * @param about - what the request was about, the head of each message: `zone 0123…`
 * @throws {MigrationError} for everything but an envelope with `success: true` and a status 2xx;
 * the cause is a `ServiceError`
 */
export function parseEnvelope(answer: WireAnswer, about: string, clean: CleanText): Envelope {
  const { method, status, rayId } = answer;
  if (status >= 300 && status < 400) {
    throw responseInvalid(answer, about, `redirected to ${hostOf(answer.location, clean)}`);
  }
  // A ruleset that was deleted leaves no content.
  if (status === 204 && answer.bytes.length === 0 && method === 'DELETE') {
    return { result: undefined, resultInfo: {}, messages: [], text: '', method, status, rayId };
  }
  const text = decode(answer.bytes);
  const parsed = envelopeSchema.safeParse(parseJson(text ?? ''));
  if (!parsed.success) {
    // Gateways tell an outage or a limit in HTML; their status is all that counts.
    if (status === 429 || status >= 500) throw serviceFailure(answer, about, []);
    throw responseInvalid(answer, about, describe(answer, text, clean));
  }
  const { success, result, result_info: info, messages, errors } = parsed.data;
  const entries = parseErrorEntries(errors, clean);
  if (!success || status >= 500 || status === 429) throw serviceFailure(answer, about, entries);
  if (status < 200 || status >= 300) {
    throw responseInvalid(answer, about, 'the answer says success and has a status that does not');
  }
  const resultInfo = {
    page: info.page,
    perPage: info.per_page,
    totalPages: info.total_pages,
    totalCount: info.total_count,
    nextCursor: info.cursors?.after === '' ? undefined : info.cursors?.after,
  };
  return { result, resultInfo, messages, text: text ?? '', method, status, rayId };
}

const graphqlSchema = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.unknown()).nullish(),
});

/**
 * Reads an answer of the GraphQL interface, which has no envelope: `{data, errors}` with status 200,
 * also for a refusal.
 * @throws MigrationError as {@link parseEnvelope}
 */
export function parseGraphql(answer: WireAnswer, about: string, clean: CleanText): Envelope {
  const { status, rayId } = answer;
  const text = answer.bytes.toString('utf8');
  const parsed = graphqlSchema.safeParse(parseJson(text));
  if (status === 429 || status >= 500) throw serviceFailure(answer, about, []);
  if (!parsed.success) throw responseInvalid(answer, about, 'the answer is no GraphQL answer');
  const { data, errors } = parsed.data;
  if (status >= 400 || (errors?.length ?? 0) > 0 || data === null || data === undefined) {
    throw serviceFailure(answer, about, parseErrorEntries(errors ?? [], clean));
  }
  // sent as POST, and changes nothing
  return { result: data, resultInfo: {}, messages: [], text, method: 'GET', status, rayId };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | undefined {
  // Fatal: a replaced character would be a change of a setting that nobody sees.
  return attempt(() => decoder.decode(bytes));
}

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
 * Reads `errors` of an answer, whatever it holds: an error must not be lost because it is badly
 * told. `error_chain` is laid out behind its entry: with 6003 the reason stands only there.
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
