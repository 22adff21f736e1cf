/** Whether a stage takes nothing of an earlier run for granted: who verifies wants to know how things stand now. */
export function asksAnew(stage: string): boolean {
  return stage === 'verify';
}

/** What the command of a stopped run does when it is run again. */
export function wayOn(stage: string, { isAgain = false } = {}): string {
  if (asksAnew(stage)) return 'the same command does all anew';
  return `the same command${isAgain ? ' without --again' : ''} goes on with what is left`;
}
