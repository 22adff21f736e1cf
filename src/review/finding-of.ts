import { type Finding } from '../model/finding';

/** A finding, its parts in the order in which they are read. */
export const findingOf = (
  code: string,
  severity: Finding['severity'],
  subject: string,
  message: string,
  remedy: string,
): Finding => ({ code, severity, subject, message, remedy });
