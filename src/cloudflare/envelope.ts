import * as z from 'zod';
import { parseJson } from '../model/parse-json';
import { tried } from '../model/tried';
import { type CleanText } from './clean-text';
import { parseErrorEntries } from './parse-error-entries';
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

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | undefined {
  // Fatal: a replaced character would be a change of a setting that nobody sees.
  return tried(() => decoder.decode(bytes));
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
