import { type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { ServiceError, type ServiceErrorEntry } from './service-error';

/** What a message tells of an answer. */
export interface AnswerFacts {
  readonly method: string;
  readonly status: number;
  readonly rayId: string | undefined;
  /** How often it was sent, this time included. */
  readonly attempts: number;
  /** Milliseconds, from the header `Retry-After`. */
  readonly retryAfter: number | undefined;
}

const MAX_SHOWN = 3;

/** For a write of which nobody knows whether it was done: it cannot be undone, so look first. */
export const UNSURE_HINT =
  'run `cf-waf-migrate status` before you send it again: the service may have done it';

/** The error for an answer with which the service says that it did not do it. */
export function serviceFailure(
  answer: AnswerFacts,
  about: string,
  entries: readonly ServiceErrorEntry[],
): MigrationError {
  const code = classifyFailure(answer.status, entries);
  return build(code, answer, about, renderEntries(entries), entries);
}

/** The error for an answer that the service cannot have meant. */
export function responseInvalid(
  answer: AnswerFacts,
  about: string,
  reason: string,
): MigrationError {
  return build('API_RESPONSE_INVALID', answer, about, reason, []);
}

function build(
  code: ErrorCode,
  answer: AnswerFacts,
  about: string,
  reason: string,
  entries: readonly ServiceErrorEntry[],
): MigrationError {
  const { status, rayId, attempts } = answer;
  const ray = rayId === undefined ? '' : `, ray ${rayId}`;
  const times = attempts > 1 ? `, ${attempts} attempts` : '';
  const cause = new ServiceError(`${reason}, HTTP ${status}`, status, rayId, entries);
  const hint = hintFor(code, answer);
  const message = `${about}: ${reason}, HTTP ${status}${ray}${times}`;
  return new MigrationError(code, message, { cause, ...(hint === undefined ? {} : { hint }) });
}

function hintFor(code: ErrorCode, answer: AnswerFacts): string | undefined {
  const refused = answer.status >= 300 && answer.status < 500;
  if (answer.method !== 'GET' && !refused && code !== 'API_REFUSED') return UNSURE_HINT;
  const waits = code === 'API_RATE_LIMITED' || code === 'API_UNAVAILABLE';
  if (!waits || answer.retryAfter === undefined) return undefined;
  return `wait ${Math.ceil(answer.retryAfter / 1000)} seconds, then run the command again`;
}

function renderEntries(entries: readonly ServiceErrorEntry[]): string {
  if (entries.length === 0) return 'the service gives no reason';
  const shown = entries.slice(0, MAX_SHOWN).map(({ code, message, pointer }) => {
    const text = message === '' ? 'no message' : asClause(message);
    return [text, code === undefined ? '' : ` (${code})`, pointer ? ` at ${pointer}` : ''].join('');
  });
  const more = entries.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/**
 * Numbers of the service that say more than the HTTP status (facts of public reports, the service's
 * document shows none): 6003 comes with 400, and 7003 with 400 or 404.
 */
const codesOf = {
  API_UNAUTHORIZED: [6003, 9103, 9106, 9107, 9109, 10000],
  API_NOT_FOUND: [1001, 7000, 7003],
  API_RATE_LIMITED: [971, 10100],
} as const;

/** Which of our codes an answer is that has `success: false`. */
function classifyFailure(status: number, errors: readonly ServiceErrorEntry[]): ErrorCode {
  const is = (codes: readonly number[]) =>
    errors.some((entry) => entry.code !== undefined && codes.includes(entry.code));
  if (status === 429) return 'API_RATE_LIMITED';
  if (status >= 500) return 'API_UNAVAILABLE';
  if (status === 401 || is(codesOf.API_UNAUTHORIZED)) return 'API_UNAUTHORIZED';
  if (is(codesOf.API_RATE_LIMITED)) return 'API_RATE_LIMITED';
  // Rulesets answer "request is not authorized" without a number; a 403 with another number is
  // about the zone (its plan, its state), and new credentials would not help.
  if (status === 403 && errors.every((entry) => entry.code === undefined)) {
    return 'API_UNAUTHORIZED';
  }
  if (status === 404 || is(codesOf.API_NOT_FOUND)) return 'API_NOT_FOUND';
  return 'API_REFUSED';
}

/** The habit of all messages: lower case, no full stop. Acronyms keep their case. */
function asClause(text: string): string {
  const clause = text.replace(/[.\s]+$/u, '');
  return /^\p{Lu}\p{Ll}/u.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause;
}
