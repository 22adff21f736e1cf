import { type UrlPattern } from './url-pattern';

/**
 * Whether some text matches both wildcard patterns. Exact, in time of the product of their lengths.
 */
export function wildcardsOverlap(left: string, right: string): boolean {
  // most of all hosts are the same
  return (
    left === right ||
    (endsAgree(left, right) && walk(left, right, (a, b) => a === '*' || b === '*'))
  );
}

/**
 * Whether every text that matches `inner` matches `outer` too. Never wrongly true: a star of `inner`
 * is only ever swallowed by a star of `outer`.
 */
export function wildcardContains(outer: string, inner: string): boolean {
  return outer === inner || (endsContain(outer, inner) && walk(outer, inner, (a) => a === '*'));
}

/**
 * Whether there is a way through both patterns, a character of each at a time. Where it is free, there is a star,
 * which ends here or swallows a character of the other side.
 */
function walk(
  left: string,
  right: string,
  isFree: (a: string | undefined, b: string | undefined) => boolean,
): boolean {
  // of each place of `left`, from its end: from which places of `right` there is a way on
  let below: boolean[] = [];
  for (let i = left.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = right.length; j >= 0; j -= 1) {
      const [a, b] = [left[i], right[j]];
      row[j] = isFree(a, b)
        ? below[j] === true || row[j + 1] === true
        : a === b && (a === undefined || below[j + 1] === true);
    }
    below = row;
  }
  return below[0] === true;
}

/** Most patterns already differ before their first star or behind their last one. */
function endsAgree(left: string, right: string): boolean {
  const [headA, headB] = [headOf(left), headOf(right)];
  const [tailA, tailB] = [tailOf(left), tailOf(right)];
  return (
    (headA.startsWith(headB) || headB.startsWith(headA)) &&
    (tailA.endsWith(tailB) || tailB.endsWith(tailA))
  );
}

/** Most already differ there: what stands before the first star of `outer`, or behind its last one. */
function endsContain(outer: string, inner: string): boolean {
  return inner.startsWith(headOf(outer)) && inner.endsWith(tailOf(outer));
}

const headOf = (pattern: string): string => pattern.replace(/\*.*/, '');
const tailOf = (pattern: string): string => pattern.slice(pattern.lastIndexOf('*') + 1);

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
