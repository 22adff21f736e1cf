import { type Finding } from '../model/finding';
import { firstLine } from '../model/first-line';
import { MigrationError } from '../model/migration-error';
import { type ZoneEntry } from './ledger-entry';

/** Why the ledger could not be written, with the zones that ended and that it does not know. */
export function unrecorded(error: unknown, ended: readonly ZoneEntry[]): unknown {
  if (!(error instanceof MigrationError) || ended.length === 0) return error;
  const { code, message, cause, hint } = error;
  return new MigrationError(code, message, { cause, hint, findings: ended.map(notInLedger) });
}

function notInLedger({ zone, name, outcome, line }: ZoneEntry): Finding {
  return {
    code: 'ZONE_NOT_IN_LEDGER',
    severity: 'info',
    subject: `${name} (${zone})`,
    message: `ended as ${outcome}, which the ledger could not take: ${firstLine(line)}`,
    remedy:
      'nothing of it is undone; make room and run the same command again: it finds out what is done',
  };
}
