import { type Finding } from '../model/finding';

/** A finding, its parts in the order in which they are read. */
export const findingOf = (
  code: string,
  severity: Finding['severity'],
  subject: string,
  message: string,
  remedy: string,
): Finding => ({ code, severity, subject, message, remedy });

/** `1 event`, `2 events`. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
