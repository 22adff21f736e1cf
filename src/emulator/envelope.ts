import { type ErrorEntry } from './refusal';

/** The paging part of an answer (public documentation of the service, `result_info`). */
export interface ResultInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

/**
 * The text of an answer that succeeded. The order of keys and the indent of two are those that the
 * Rulesets interface was seen to answer with, so that a recorded answer is repeated byte by byte.
 */
export function renderSuccess(result: unknown, resultInfo?: ResultInfo): string {
  return JSON.stringify(
    {
      success: true,
      errors: [],
      messages: [],
      result,
      ...(resultInfo === undefined ? {} : { result_info: resultInfo }),
    },
    null,
    2,
  );
}

/** The text of an answer that refuses: spec, part "Errors": every answer uses the envelope. */
export function renderFailure(errors: readonly ErrorEntry[]): string {
  return JSON.stringify({ success: false, errors, messages: [], result: null }, null, 2);
}
