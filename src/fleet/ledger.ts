import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../files/write-files';
import { refuseDevice } from '../files/read-json-file';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { parseJson } from '../core/json';
import { printable } from '../core/printable';
import { type LedgerEntry, ledgerEntry } from './ledger-entry';

/** An append-only record on disk of what was done for which zone: one JSON line each. */
export interface Ledger {
  readonly path: string;
  /** What stood in it when it was opened, and what was appended since. */
  readonly entries: readonly LedgerEntry[];
  readonly findings: readonly Finding[];
  /**
   * Appends lines that belong together, in one piece.
   * @param how `flush`: wait until the disk has them, as for what cannot be done twice
   */
  append(entries: readonly LedgerEntry[], how?: { readonly flush: boolean }): void;
  close(): void;
}

/**
 * Opens a ledger, or begins one. Lines are appended in one piece each, so that those of two runs
 * never mix, and go to the system at once, so that a killed process loses none. Only what cannot be
 * done twice is flushed to the disk: what a machine that lost its power forgot is asked again.
 *
 * @throws MigrationError `LEDGER_INVALID`, `FILE_UNWRITABLE`
 */
export function openLedger(path: string): Ledger {
  const isPipe = attempt(path, () => statSync(path, { throwIfNoEntry: false })?.isFIFO() === true);
  if (isPipe) {
    throw new MigrationError('LEDGER_INVALID', `${printable(path)} is a pipe, not a file`);
  }
  const before = readText(path);
  const { entries, findings } = parseLedger(before, path);
  const file = attempt(path, () => {
    makeFolders(dirname(path), 0o700);
    return openSync(path, 'a', 0o600);
  });
  // what follows a line that was cut begins on a line of its own
  let prefix = before === '' || before.endsWith('\n') ? '' : '\n';
  return {
    path,
    entries,
    findings,
    append(added, { flush } = { flush: false }) {
      const text = added.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const lines = Buffer.from(`${prefix}${text}`);
      const written = attempt(path, () => {
        const count = writeSync(file, lines);
        if (flush) fsyncSync(file);
        return count;
      });
      if (written < lines.length) {
        // what another zone still has to say is not lost on the line that was cut
        prefix = '\n';
        throw unwritable(path, new Error('the disk is full'));
      }
      prefix = '';
      entries.push(...added);
    },
    close() {
      closeSync(file);
    },
  };
}

/**
 * Reads a ledger without changing it.
 * @throws MigrationError `LEDGER_INVALID`, also when there is none
 */
export function readLedger(path: string): ParsedLedger {
  if (!existsSync(path)) {
    throw new MigrationError('LEDGER_INVALID', `there is no ledger ${printable(path)}`);
  }
  return parseLedger(readText(path), path);
}

function readText(path: string): string {
  try {
    refuseDevice(path);
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (!existsSync(path)) return '';
    throw new MigrationError('LEDGER_INVALID', `cannot read ${printable(path)}`, { cause });
  }
}

function attempt<Result>(path: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): MigrationError {
  return new MigrationError('FILE_UNWRITABLE', `cannot write the ledger ${printable(path)}`, {
    cause,
  });
}

/** A ledger as it was read. */
interface ParsedLedger {
  readonly entries: LedgerEntry[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the lines of a ledger. One that is cut (its run was killed while it was written, or two
 * runs wrote at once) tells nothing: its zone is done again, and the others stay as they are.
 * @throws MigrationError `LEDGER_INVALID` for a line of something else
 */
function parseLedger(text: string, path: string): ParsedLedger {
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
