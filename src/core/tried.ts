/** What a function gives; undefined where it throws. */
export function tried<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
