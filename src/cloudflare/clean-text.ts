import { printable } from '../core/printable';

/** Takes text that came from outside and makes it fit for a message. */
export type CleanText = (text: string, limit?: number) => string;

const DEFAULT_LIMIT = 300;

/**
 * Text of the service is hostile: it can hold terminal escapes, bidirectional overrides, megabytes,
 * and an echo of the credentials. The function that is returned makes one short line of it.
 *
 * @param secrets - values that never may be seen; each occurrence becomes `[redacted]`
 */
export function createCleanText(secrets: readonly string[]): CleanText {
  // The longest first: a secret can be the beginning of another one.
  const ordered = secrets.filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return (text, limit = DEFAULT_LIMIT) => {
    // Before the cut: the half of a secret would no longer be found.
    let line = text;
    for (const secret of ordered) line = line.replaceAll(secret, '[redacted]');
    return printable(line.replace(/\s+/g, ' ').trim(), limit);
  };
}
