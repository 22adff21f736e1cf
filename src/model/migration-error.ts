import { type ErrorCode, errorCatalogue } from './error-catalogue';
import { type Finding } from './finding';

interface Options {
  readonly cause?: unknown;
  /** Overrides the catalogue's hint, in the imperative. */
  readonly hint?: string;
  /** What stands in the way, one by one. */
  readonly findings?: readonly Finding[];
}

/** The one error class: an expected failure, with a code of the closed catalogue. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly findings: readonly Finding[];

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorCatalogue[code];
    this.findings = options.findings ?? [];
  }
}
