import { types } from 'node:util';
import { errorCatalogue, type ErrorCode } from './error-catalogue';
import { type Finding } from './finding';

/** What a {@link MigrationError} carries besides code and message. */
export interface MigrationErrorOptions {
  /** What was thrown below, if anything. */
  readonly cause?: unknown;
  /** Overrides the catalogue's hint, in the imperative. */
  readonly hint?: string;
  /** What stands in the way, one by one. */
  readonly findings?: readonly Finding[];
}

/** The one error class: an expected failure, with a code of the closed catalogue. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  /** What to decide by; messages may change. */
  readonly code: ErrorCode;
  /** What to do now, in the imperative: the catalogue's, unless the place knows better. */
  readonly hint: string;
  /** What stands in the way, one by one; empty where the message says it all. */
  readonly findings: readonly Finding[];

  /**
   * An expected failure.
   * @param code of the closed catalogue
   * @param message lowercase, without a full stop, naming the wrong value; printable, and no secret
   * @param options cause, hint and findings
   */
  constructor(code: ErrorCode, message: string, options: MigrationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorCatalogue[code];
    this.findings = options.findings ?? [];
  }

  /** The same error with a hint of a place that knows better, in the imperative. */
  withHint(hint: string): MigrationError {
    const { code, message, cause, findings } = this;
    return new MigrationError(code, message, { cause, findings, hint });
  }
}

/** Longest chain of causes. */
const MOST = 5;

/**
 * What an error came from, and what that came from.
 * @returns messages, as they are: hostile text
 */
export function causesOf(cause: unknown): string[] {
  const causes: string[] = [];
  for (let one = cause; types.isNativeError(one) && causes.length < MOST; one = one.cause) {
    causes.push(one.message);
  }
  return causes;
}

/** What a function gives; undefined where it throws. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
