/**
 * Runs tasks, so many at a time: the others wait for their turn.
 * @param limit at least 1
 * @returns begins a task, at once where it is its turn, and gives what it gives
 */
export function atMost(limit: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await task();
    } finally {
      const begin = waiting.shift();
      if (begin === undefined) free += 1;
      else begin();
    }
  };
}
