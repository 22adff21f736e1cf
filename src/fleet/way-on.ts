/** Whether a stage takes nothing of an earlier run for granted: who verifies wants to know how things stand now. */
export function asksAnew(stage: string): boolean {
  return stage === 'verify';
}

/** What the command of a stopped run does when it is run again. */
export function wayOn(stage: string): string {
  return asksAnew(stage)
    ? 'the same command does all anew'
    : 'the same command goes on with what is left';
}
