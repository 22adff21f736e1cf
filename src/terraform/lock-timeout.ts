/** How long a lock that somebody else holds is waited for, where the user does not say. */
const LOCK_TIMEOUT = '-lock-timeout=60s';

/** The flags with which Terraform waits for a lock, as one that a killed run's Terraform still holds. */
export function withLockTimeout(flags: readonly string[]): readonly string[] {
  return flags.some(isOfLock) ? flags : [LOCK_TIMEOUT, ...flags];
}

/** Of the flags of a plan, those that its apply takes as well: a saved plan brings along all others. */
export function lockFlags(flags: readonly string[]): readonly string[] {
  return withLockTimeout(flags.filter(isOfLock));
}

const isOfLock = (flag: string): boolean => /^--?lock/.test(flag);
