import { type Dispatcher } from 'undici';
import { type BodyCollector, collectBody } from './collect-body';

/** Milliseconds; each attempt of a request has all of them anew. */
export interface Timeouts {
  /** Until the connection stands, TLS included. */
  readonly connect: number;
  /** From the request until the headers of the answer. */
  readonly headers: number;
  /** Between two pieces of the body. */
  readonly body: number;
  /** For one attempt as a whole: a body that trickles in resets the one above for ever. */
  readonly total: number;
  /** Between two words on what is waited for. */
  readonly patience: number;
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly origin: string;
  /** With prefix and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer as it came; the body is whole. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case name → its value, the last one when it came several times. */
  header(name: string): string | undefined;
  readonly bytes: Buffer;
}

/** Sends once. Throws what undici throws, or the `MigrationError` of the body. */
export function sendOnce(
  agent: Dispatcher,
  request: WireRequest,
  timeouts: Timeouts,
): Promise<RawAnswer> {
  const { headers: headersTimeout, body: bodyTimeout, total } = timeouts;
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(resolve, reject, total);
    try {
      agent.dispatch({ ...request, headersTimeout, bodyTimeout }, exchange);
    } catch (error) {
      exchange.onResponseError(undefined, error);
    }
  });
}

/** One request and its answer, as undici tells of it: it ends once, and what comes later is no news. */
class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private body: BodyCollector | undefined;
  private failure: Error | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (error: unknown) => void,
    total: number,
  ) {
    this.timer = setTimeout(() => {
      this.fail(Object.assign(new Error('deadline'), { code: 'DEADLINE' }));
    }, total);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure !== undefined) controller.abort(this.failure);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return; // "processing": the answer is still to come
    const header = (name: string): string | undefined => {
      const value = headers[name];
      return Array.isArray(value) ? value.at(-1) : value;
    };
    const done = (bytes: Buffer): void => {
      clearTimeout(this.timer);
      this.resolve({ status, header, bytes });
    };
    if (status >= 300 && status < 400) {
      done(Buffer.alloc(0));
      controller.abort(new Error('a redirect is not followed'));
      return;
    }
    const fail = (error: Error): void => {
      this.fail(error);
    };
    this.body = collectBody(
      { length: header('content-length'), coding: header('content-encoding') },
      {
        done,
        fail,
        pause: () => {
          controller.pause();
        },
        resume: () => {
          controller.resume();
        },
      },
    );
  }

  onResponseData(_controller: unknown, piece: Buffer): void {
    this.body?.take(piece);
  }

  onResponseEnd(): void {
    this.body?.end();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    clearTimeout(this.timer);
    this.reject(error);
  }

  /** Ends the connection too: who sends what nobody wants does not stop by itself. */
  private fail(error: Error): void {
    clearTimeout(this.timer);
    this.reject(error);
    this.failure = error;
    this.controller?.abort(error);
  }
}
