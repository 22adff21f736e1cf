import { type UrlPattern } from './url-pattern';

/**
 * Whether some text matches both wildcard patterns. Exact, in time of the product of their lengths.
 */
export function wildcardsOverlap(left: string, right: string): boolean {
  if (!endsAgree(left, right)) return false;
  // reach[j]: left from i on and right from j on have a text in common; filled from the ends
  let below: boolean[] = [];
  for (let i = left.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = right.length; j >= 0; j -= 1) {
      const [a, b] = [left[i], right[j]];
      if (a === '*' || b === '*') {
        row[j] = (a === '*' && below[j] === true) || (b === '*' && row[j + 1] === true);
        // a star may also swallow one character, or star, of the other side
        if (a === '*' && b !== undefined) row[j] ||= row[j + 1] === true;
        if (b === '*' && a !== undefined) row[j] ||= below[j] === true;
      } else if (a === undefined || b === undefined) row[j] = a === b;
      else row[j] = a === b && below[j + 1] === true;
    }
    below = row;
  }
  return below[0] === true;
}

/** Most patterns already differ before their first star or behind their last one. */
function endsAgree(left: string, right: string): boolean {
  const [a, b] = [left.split('*'), right.split('*')];
  const [headA = '', headB = ''] = [a[0], b[0]];
  const [tailA = '', tailB = ''] = [a.at(-1), b.at(-1)];
  return (
    (headA.startsWith(headB) || headB.startsWith(headA)) &&
    (tailA.endsWith(tailB) || tailB.endsWith(tailA))
  );
}

/**
 * Whether every text that matches `inner` matches `outer` too. Never wrongly true: a star of `inner`
 * is only ever swallowed by a star of `outer`.
 */
export function wildcardContains(outer: string, inner: string): boolean {
  let below: boolean[] = [];
  for (let i = outer.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = inner.length; j >= 0; j -= 1) {
      const [a, b] = [outer[i], inner[j]];
      if (a === '*') row[j] = below[j] === true || (b !== undefined && row[j + 1] === true);
      else if (a === undefined || b === undefined) row[j] = a === b;
      else row[j] = a === b && below[j + 1] === true;
    }
    below = row;
  }
  return below[0] === true;
}

/** Whether a request may match one of the patterns on either side. */
export function mayOverlap(left: readonly UrlPattern[], right: readonly UrlPattern[]): boolean {
  return left.some((a) =>
    right.some(
      (b) =>
        (a.scheme === undefined || b.scheme === undefined || a.scheme === b.scheme) &&
        wildcardsOverlap(a.host, b.host) &&
        wildcardsOverlap(a.path, b.path),
    ),
  );
}

/** Whether every request that matches one of `inner` surely matches one of `outer`. */
export function surelyContains(
  outer: readonly UrlPattern[],
  inner: readonly UrlPattern[],
): boolean {
  return inner.every((b) =>
    outer.some(
      (a) =>
        (a.scheme === undefined || a.scheme === b.scheme) &&
        wildcardContains(a.host, b.host) &&
        wildcardContains(a.path, b.path),
    ),
  );
}
