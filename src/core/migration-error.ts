import { types } from 'node:util';
import { errorCatalogue, type ErrorCode } from './error-catalogue';
import { type Finding } from './finding';

/** Options of a {@link MigrationError}. */
export interface MigrationErrorOptions {
  readonly cause?: unknown;
  /** Overrides the catalogue's hint, in the imperative. */
  readonly hint?: string | undefined;
  readonly findings?: readonly Finding[];
}

/** The only error class: an expected failure, with a code of {@link errorCatalogue}. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  /** Stable, unlike the message. */
  readonly code: ErrorCode;
  /** What to do, in the imperative; default: the hint of the catalogue. */
  readonly hint: string;
  readonly findings: readonly Finding[];

  /**
   * An expected failure.
   * @param code of {@link errorCatalogue}
   * @param message lowercase, without a full stop, names the wrong value; printable, without secrets
   * @param options cause, hint and findings
   */
  constructor(code: ErrorCode, message: string, options: MigrationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorCatalogue[code];
    this.findings = options.findings ?? [];
  }

  /** Returns the same error with a more specific hint, in the imperative. */
  withHint(hint: string): MigrationError {
    const { cause, findings } = this;
    return new MigrationError(this.code, this.message, { cause, findings, hint });
  }

  /** Returns the same error with its place, such as a file, before the message. */
  withPrefix(place: string): MigrationError {
    return new MigrationError(this.code, `${place}: ${this.message}`, this);
  }
}

const MOST_CAUSES = 5;

/**
 * Messages of an error's chain of causes, without those that its own message contains.
 * @returns raw messages, which may contain hostile text
 */
function causesOf({ message, cause }: Error): string[] {
  const causes: string[] = [];
  for (let one = cause; types.isNativeError(one) && causes.length < MOST_CAUSES; one = one.cause) {
    if (!message.includes(one.message)) causes.push(one.message);
  }
  return causes;
}

/** An error as data, raw: its texts may be hostile. Any error that is not a {@link MigrationError} is a bug. */
export function describeError(error: unknown) {
  if (error instanceof MigrationError) {
    const { code, message, hint, findings } = error;
    return { code, message, hint, causes: causesOf(error), findings };
  }
  const message = types.isNativeError(error) ? error.message : String(error);
  const hint = 'this is a bug of cf-waf-migrate: please report it';
  return { code: 'BUG', message, hint, causes: [], findings: [], stack: stackOf(error) };
}

/** Only the positions of a stack trace: the message before them is hostile text. */
function stackOf(error: unknown): string[] {
  const { stack = '' } = types.isNativeError(error) ? error : {};
  return stack.split('\n').filter((line) => /^ {4}at /.test(line));
}

export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** The result, or the expected failure in its place. */
export const orFailure = <Result>(running: Promise<Result>): Promise<Result | MigrationError> =>
  running.catch((error: unknown) => {
    if (error instanceof MigrationError) return error;
    throw error;
  });

/** @throws MigrationError `FILE_UNREADABLE` with the message, if `run` fails */
export function reading<Result>(message: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', message, { cause });
  }
}

/** @throws MigrationError `FILE_UNWRITABLE` with the message, if `run` fails */
export function writing<Result>(message: string, run: () => Result, hint?: string): Result {
  try {
    return run();
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
  }
}
