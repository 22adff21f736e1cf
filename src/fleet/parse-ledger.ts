import { type Finding } from '../model/finding';
import { MigrationError } from '../model/migration-error';
import { parseJson } from '../model/parse-json';
import { printable } from '../model/printable';
import { type LedgerEntry, ledgerEntry } from './ledger-entry';

/** A ledger as it was read. */
export interface ParsedLedger {
  readonly entries: LedgerEntry[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the lines of a ledger. One that is cut (its run was killed while it was written, or two
 * runs wrote at once) tells nothing: its zone is done again, and the others stay as they are.
 * @throws MigrationError `LEDGER_INVALID` for a line of something else
 */
export function parseLedger(text: string, path: string): ParsedLedger {
  const entries: LedgerEntry[] = [];
  const findings: Finding[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    const entry = ledgerEntry.safeParse(parsed);
    if (entry.success) entries.push(entry.data);
    else if (parsed === undefined && (entries.length > 0 || beginsAsEntry(line))) {
      findings.push(lineCut(path, index + 1));
    } else {
      throw new MigrationError(
        'LEDGER_INVALID',
        `line ${index + 1} of ${printable(path)} is not of a ledger`,
      );
    }
  }
  return { entries, findings };
}

/** Whether a line is of a ledger, however little of it was written. */
function beginsAsEntry(line: string): boolean {
  const begin = '{"event":';
  return line.startsWith(begin) || begin.startsWith(line);
}

function lineCut(path: string, line: number): Finding {
  return {
    code: 'LEDGER_LINE_CUT',
    severity: 'info',
    subject: `${path}:${line}`,
    message: 'this line of the ledger was cut off while it was written; its zone is done again',
    remedy: 'nothing is to be done',
  };
}
