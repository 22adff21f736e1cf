import { resolve } from 'node:path';
import { counted } from '../../../model/counted';
import { MigrationError } from '../../../model/migration-error';
import { printable } from '../../../model/printable';
import { renderFindings } from '../../../model/render-findings';
import { type CliCommand } from '../../command';

interface MergeOptions {
  readonly ledger?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
}

/** `fleet merge`: the ledgers of shards as one. */
export const fleetMergeCommand: CliCommand<MergeOptions> = {
  name: 'merge',
  summary: 'make one ledger of those of several shards or machines',
  example: 'fleet merge --ledger ledger-1-of-2.jsonl ledger-2-of-2.jsonl --out ledger.jsonl',
  define: (command) =>
    command
      .option('--ledger <file...>', 'the ledgers')
      .option('--out <file>', 'the new ledger')
      .option('--force', 'overwrite a file that differs'),
  run: async ({ ledger: paths = [], out, force = false }, { cwd }) => {
    if (paths.length === 0 || out === undefined) {
      throw new MigrationError('USAGE', 'pass the ledgers and the new one: --ledger … --out …');
    }
    const { readLedger } = await import('../../../fleet/ledger');
    const { zoneStandings } = await import('../../../fleet/fleet-table');
    const { mergeLedgers } = await import('../../../fleet/merge-ledgers');
    const { writeFiles } = await import('../../../actions/write-files');
    const ledgers = paths.map((path) => readLedger(resolve(cwd, path)));
    const entries = mergeLedgers(ledgers.map((one) => one.entries));
    const findings = ledgers.flatMap((one) => one.findings);
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    writeFiles([{ path: resolve(cwd, out), text }], { force, mode: 0o600 });
    const zones = zoneStandings(entries).length;
    return {
      json: { ledger: out, zones, findings },
      text: [
        ...renderFindings(findings),
        `wrote ${printable(out)}: ${counted(zones, 'zone')} of ${counted(paths.length, 'ledger')}`,
      ].join('\n'),
      exitCode: 0,
    };
  },
};
