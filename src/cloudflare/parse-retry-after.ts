/**
 * Reads `Retry-After`: seconds, or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param now - milliseconds since the epoch
 * @returns milliseconds to wait, 0 or more; undefined when there is no value that can be read
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than HTTP dates, "-5" among them; those begin with the weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
