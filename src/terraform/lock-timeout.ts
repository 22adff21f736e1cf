/** How long a lock that somebody else holds is waited for, where the user does not say. */
const LOCK_TIMEOUT = '-lock-timeout=60s';

/** The flags with which Terraform waits for a lock, as one that a killed run's Terraform still holds. */
export function withLockTimeout(flags: readonly string[]): readonly string[] {
  return flags.some((flag) => /^--?lock/.test(flag)) ? flags : [LOCK_TIMEOUT, ...flags];
}
