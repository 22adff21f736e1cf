/**
 * A pure function that remembers its last argument and result. The resources of a state come
 * sorted, so that most have the provider and the module of the one before.
 */
export function rememberLast<T>(compute: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
