import { type ErrorCode, errorCatalogue } from './error-catalogue';

interface Options {
  readonly cause?: unknown;
  /** Overrides the catalogue's hint, in the imperative. */
  readonly hint?: string;
}

/** The one error class: an expected failure, with a code of the closed catalogue. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorCatalogue[code];
  }
}
