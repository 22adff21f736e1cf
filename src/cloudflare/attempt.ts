import { type Dispatcher } from 'undici';
import { MigrationError } from '../model/migration-error';
import { type CleanText } from './clean-text';
import { type WireAnswer } from './envelope';
import { parseRetryAfter } from './parse-retry-after';
import { type AttemptEnd } from './plan-retry';
import { type RawAnswer, sendOnce, type Timeouts, type WireRequest } from './send';
import { parseTransportFailure, type TransportFailure } from './transport-failure';

/** What an attempt takes beside the request. */
export interface AttemptContext {
  readonly timeouts: Timeouts;
  readonly clean: CleanText;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** 1 for the first. */
  readonly count: number;
}

interface Told {
  /** For the decision about another attempt. */
  readonly forRetry: Pick<AttemptEnd, 'status' | 'dropped' | 'retryAfter'>;
  /** For who follows the requests. */
  readonly forEvent: {
    readonly status?: number;
    readonly rayId?: string;
    readonly failure?: TransportFailure['code'];
  };
}

/** How an attempt ended: with an answer, good or bad, or with none. */
type Outcome = Told &
  (
    | { readonly kind: 'answer'; readonly answer: WireAnswer }
    | { readonly kind: 'failure'; readonly failure: Failure }
  );

/** {@link TransportFailure}, or an answer that was cut off: then the cause says nothing more. */
export type Failure = Omit<TransportFailure, 'cause'> & { readonly cause?: Error };

/** Sends once and tells how it ended; throws nothing. */
export async function attempt(
  agent: Dispatcher,
  request: WireRequest,
  context: AttemptContext,
): Promise<Outcome> {
  try {
    return answered(request, await sendOnce(agent, request, context.timeouts), context);
  } catch (error) {
    const failure =
      error instanceof MigrationError
        ? { code: error.code, reason: error.message, dropped: false, unsent: false }
        : parseTransportFailure(error, context.clean);
    const forRetry = { status: undefined, dropped: failure.dropped, retryAfter: undefined };
    return { kind: 'failure', failure, forRetry, forEvent: { failure: failure.code } };
  }
}

function answered(request: WireRequest, raw: RawAnswer, context: AttemptContext): Outcome {
  const { status, bytes } = raw;
  const rayId = parseRayId(raw.header('cf-ray'), context.clean);
  const retryAfter = parseRetryAfter(raw.header('retry-after'), context.now());
  const answer = {
    method: request.method,
    status,
    rayId,
    attempts: context.count,
    retryAfter,
    contentType: raw.header('content-type'),
    location: raw.header('location'),
    bytes,
  };
  const forEvent = { status, ...(rayId === undefined ? {} : { rayId }) };
  return { kind: 'answer', answer, forRetry: { status, dropped: false, retryAfter }, forEvent };
}

/** `8c1f…-FRA`. Anything that does not look like one is not shown: it goes into each message. */
function parseRayId(value: string | undefined, clean: CleanText): string | undefined {
  return value !== undefined && /^[0-9A-Za-z-]{1,64}$/.test(value) && clean(value) === value
    ? value
    : undefined;
}
