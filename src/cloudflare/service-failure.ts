import { type ErrorCode } from '../model/error-catalogue';
import { MigrationError } from '../model/migration-error';
import { asClause } from './clean-text';
import { classifyFailure } from './classify-failure';
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
