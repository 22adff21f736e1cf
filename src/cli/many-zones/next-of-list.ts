import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { posixQuote } from '../../core/posix-quote';
import { hasFolder } from '../../fleet/group-zones';
import { type LedgerEntry, readLedger, type Stage } from '../../fleet/ledger';
import { type ResolvedZones } from '../../fleet/resolve-zones';
import { foldersOfTerraform } from '../../project/terraform-folders';
import { type CliContext } from '../context';
import {
  commandOf,
  DEFAULT_LEDGER,
  type FleetOptions,
  sameZones,
  type ZonesOptions,
} from '../options';

/**
 * The command that plans the zones of a list: the last one for this list, otherwise in the folders that it names, or in
 * this folder.
 * @param dir the folders of `--dir`
 * @returns undefined if no Terraform folder is known
 */
export function planLine(
  options: ZonesOptions & { readonly dir?: readonly string[] | undefined },
  { zones }: ResolvedZones,
  context: CliContext,
): string | undefined {
  if (options.dir === undefined) {
    const earlier = lastCommand('plan', options, context);
    if (earlier !== undefined) return earlier;
    if (zones.some(hasFolder)) {
      return commandOf('plan', '', { ...sameZones(options), out: 'plans' });
    }
  }
  const dir = options.dir ?? foldersOfTerraform(context.cwd);
  if (dir.length === 0) return undefined;
  // an account has zones of other folders too
  const selected =
    options.account === undefined ? { zones: options.zones, zone: options.zone } : {};
  return commandOf('plan', '', { ...selected, dir, out: 'plan.json' });
}

export const reportLine = (options: ZonesOptions): string =>
  commandOf('report', '', {
    ...sameZones(options),
    out: options.zone === undefined ? 'reports' : undefined,
  });

/** The last command of a stage for the same list, with all its flags. */
export function lastCommand(
  stage: Stage,
  { zones, account = '', ledger }: FleetOptions,
  context: CliContext,
): string | undefined {
  const list = zones === undefined ? ` --account ${account}` : ` --zones ${posixQuote(zones)}`;
  return readEntries({ ledger }, context)
    .flatMap((one) => (one.event === 'begin' && one.stage === stage ? (one.command ?? []) : []))
    .findLast((command) => `${command} `.includes(`${list} `));
}

export const ledgerPath = (
  { ledger = DEFAULT_LEDGER }: FleetOptions,
  { cwd }: CliContext,
): string => resolve(cwd, ledger);

/** The lines of the ledger; none if it does not exist. */
export function readEntries(options: FleetOptions, context: CliContext): readonly LedgerEntry[] {
  const path = ledgerPath(options, context);
  return existsSync(path) ? readLedger(path) : [];
}
