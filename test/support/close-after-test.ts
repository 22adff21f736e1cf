const opened: (() => Promise<void>)[] = [];

/** Ends what a test has started, last first, when the test ends. */
export function closeAfterTest(close: () => Promise<void>): void {
  opened.unshift(close);
}

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
