import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { withLock } from '../../actions/journal/with-lock';
import { DEFAULT_BASE_URL, parseBaseUrl } from '../../cloudflare/parse-base-url';
import { asksAnew, wayOn } from '../../fleet/fleet-table';
import { isDoneEarlier, type ZoneGroup } from '../../fleet/group-zones';
import { openLedger } from '../../fleet/ledger';
import { doneEarlier, type ZoneEntry } from '../../fleet/ledger-entry';
import { noLongerListed } from '../../fleet/no-longer-listed';
import { type FleetZone, type RefusedEntry } from '../../fleet/resolve-zones';
import { runFleet } from '../../fleet/run-fleet';
import { type Waves } from '../../fleet/waves';
import { counted } from '../../model/counted';
import { type Finding } from '../../model/finding';
import { isJsonObject } from '../../model/json';
import { posixQuote } from '../../model/posix-quote';
import { printable } from '../../model/printable';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { isSilent, notify } from '../notify';
import { baseUrlOf, type ServiceOptions } from '../service-options';
import { type FleetOptions } from './fleet-options';
import { createProgress } from './progress';
import { renderFleet } from './render-fleet';

/** What a command says of a zone or a group of zones. */
export interface ZoneResult extends CommandResult {
  /** The whole in one line, as it is told among many zones. */
  readonly line: string;
}

/** Many zones, grouped and ready to be begun. */
export interface PreparedFleet<Group extends ZoneGroup> {
  readonly stage: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Whether there is a client: what one service was asked says nothing of another one. */
  readonly asksService: boolean;
  /** All zones of the list, also those without a plan. */
  readonly listed: readonly FleetZone[];
  readonly zones: readonly FleetZone[];
  readonly groups: readonly Group[];
  readonly refused: readonly RefusedEntry[];
  readonly findings: readonly Finding[];
  readonly concurrency: number;
  readonly waves?: Waves | undefined;
  /** Whether what an earlier run did for a zone is still true; it is unless told. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  readonly perform: (group: Group) => Promise<ZoneResult>;
}

/**
 * Runs one thing for many zones under the lock of their ledger, tells how far it is, and sums up.
 * @throws MigrationError `LEDGER_INVALID`, `FLEET_RUNNING`, `FILE_UNWRITABLE`
 */
export async function runGroups<Group extends ZoneGroup>(
  fleet: PreparedFleet<Group>,
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const path = resolve(context.cwd, options.ledger ?? 'cf-waf-migrate-fleet/ledger.jsonl');
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  return withLock(`${path}.lock`, use, () => runLocked(path, fleet, options, context));
}

async function runLocked<Group extends ZoneGroup>(
  path: string,
  { listed, zones, groups, waves, refused, holds = () => true, ...fleet }: PreparedFleet<Group>,
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const asked = fleet.asksService
    ? { ...fleet.request, ...serviceOf(options, context) }
    : fleet.request;
  const run = { stage: fleet.stage, request: JSON.stringify(asked) };
  const ledger = openLedger(path);
  const known = [
    ...doneEarlier(ledger.entries, { ...run, onlyDone: waves !== undefined }).values(),
  ];
  const earlier = new Map(
    known
      .filter((entry) => !asksAnew(fleet.stage) && holds(entry) && hasItsFiles(entry, context.cwd))
      .map((entry) => [entry.zone, entry]),
  );
  const gone = noLongerListed(known, listed);
  if (earlier.size > 0) {
    const did = counted(earlier.size, 'zone');
    notify(
      options,
      context,
      `going on with a run that did ${did} (another --ledger does all of them again)\n`,
    );
  }
  const progress = createProgress(options, context, zones.length);
  const next = wayOn(fleet.stage);
  const forget = isSilent(options)
    ? undefined
    : context.ifStopped?.(
        `stopped: ${next}; cf-waf-migrate fleet status --ledger ${posixQuote(path)} shows where it stands`,
      );
  try {
    const outcomes = await runFleet({
      ...run,
      zones,
      refused,
      groups,
      earlier,
      ledger,
      concurrency: fleet.concurrency,
      waves,
      stopped: context.interrupted,
      now: () => new Date(),
      perform: async (group) => {
        const { json, line, exitCode } = await fleet.perform(group);
        return { outcome: exitCode === 0 ? 'done' : 'attention', line, result: json };
      },
      onZone: progress.tell,
    });
    const findings = [...ledger.findings, ...gone, ...fleet.findings];
    return renderFleet(outcomes, refused, findings, { ledger: path, next });
  } finally {
    // the process may end before it has said what this comes to
    if (!context.interrupted.aborted) forget?.();
    progress.end();
    ledger.close();
  }
}

/** Nothing for the usual service: so it is in ledgers of before. */
function serviceOf(options: ServiceOptions, context: CliContext): { readonly service?: string } {
  const [service, usual] = [baseUrlOf(options, context), DEFAULT_BASE_URL].map((text) => {
    const { origin, pathPrefix } = parseBaseUrl(text);
    return `${origin}${pathPrefix}`;
  });
  return service === undefined || service === usual ? {} : { service };
}

/** Whether what was written for a zone is still there. */
function hasItsFiles({ result }: ZoneEntry, cwd: string): boolean {
  const files = isJsonObject(result) ? result['files'] : undefined;
  return (
    !Array.isArray(files) ||
    files.every((file) => typeof file === 'string' && existsSync(resolve(cwd, file)))
  );
}
