/** One entry of `errors` in an answer, cleaned for display. */
export interface ServiceErrorEntry {
  /** The service's own number; some answers have none. */
  readonly code?: number;
  readonly message: string;
  /** JSON pointer into the body that was sent. */
  readonly pointer?: string;
}

/** What the service said when it refused: the `cause` of the `MigrationError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    /** HTTP status of the answer. */
    readonly status: number,
    /** The service's number of the request (header `cf-ray`), for its support. */
    readonly rayId: string | undefined,
    readonly errors: readonly ServiceErrorEntry[],
  ) {
    super(message);
  }

  /** Is one of the entries of this number? Decide by it, never by the text. */
  hasCode(code: number): boolean {
    return this.errors.some((entry) => entry.code === code);
  }
}
