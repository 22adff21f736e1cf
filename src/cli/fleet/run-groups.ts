import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { withLock } from '../../apply/journal/with-lock';
import { type Client } from '../../cloudflare/client';
import { DEFAULT_BASE_URL, parseBaseUrl } from '../../cloudflare/parse-base-url';
import { asksAnew, wayOn } from '../../fleet/fleet-table';
import { type ZoneGroup } from '../../fleet/group-zones';
import { openLedger } from '../../fleet/ledger';
import { doneEarlier, type ZoneEntry } from '../../fleet/ledger-entry';
import { type RefusedEntry, type ResolvedZones } from '../../fleet/resolve-zones';
import { runFleet } from '../../fleet/run-fleet';
import { type Waves } from '../../fleet/waves';
import { counted, printable } from '../../core/printable';
import { isJsonObject } from '../../core/json';
import { posixQuote } from '../../core/posix-quote';
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

/** The zones of a run, and a client where there is one. */
export interface FoundZones {
  readonly found: ResolvedZones;
  readonly client: Client | undefined;
}

/** What a command does for many zones, group by group. */
export interface GroupWork<Group extends ZoneGroup> {
  /** Names the command in the ledger. */
  readonly stage: string;
  /** The options that decide the result: the ledger is good for the same ones alone. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly groups: readonly Group[];
  /** Zones of the list that are in no group, and why. */
  readonly refused?: readonly RefusedEntry[];
  readonly concurrency: number;
  /** For what cannot be undone: asked once for all groups; throws to decline. */
  readonly inWaves?: ((groups: readonly Group[]) => Promise<Waves>) | undefined;
  /** Whether what an earlier run did for a zone is still true; it is unless told. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  readonly perform: (group: Group) => Promise<ZoneResult>;
}

/**
 * Runs one thing for many zones under the lock of their ledger, tells how far it is, and sums up.
 * @throws MigrationError `LEDGER_INVALID`, `FLEET_RUNNING`, `FILE_UNWRITABLE`
 */
export async function runGroups<Group extends ZoneGroup>(
  work: GroupWork<Group>,
  run: FoundZones,
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const path = resolve(context.cwd, options.ledger ?? 'cf-waf-migrate-fleet/ledger.jsonl');
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  // where no group is left, the user is not asked: the errors of the list are shown
  const waves = work.groups.length === 0 ? undefined : await work.inWaves?.(work.groups);
  return withLock(`${path}.lock`, use, () =>
    runLocked(path, { ...work, waves }, run, options, context),
  );
}

async function runLocked<Group extends ZoneGroup>(
  path: string,
  { waves, ...work }: GroupWork<Group> & { readonly waves: Waves | undefined },
  { found, client }: FoundZones,
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { stage, groups, holds = () => true } = work;
  const grouped = new Set(groups.flatMap((group) => group.zones.map(({ id }) => id)));
  const zones = found.zones.filter(({ id }) => grouped.has(id));
  const refused = [...found.refused, ...(work.refused ?? [])];
  // what one service answered says nothing of another one
  const service = client === undefined ? {} : serviceOf(options, context);
  const run = { stage, request: JSON.stringify({ ...work.request, ...service }) };
  const ledger = openLedger(path);
  const known = [
    ...doneEarlier(ledger.entries, { ...run, onlyDone: waves !== undefined }).values(),
  ];
  const earlier = new Map(
    known
      .filter((entry) => !asksAnew(stage) && holds(entry) && hasItsFiles(entry, context.cwd))
      .map((entry) => [entry.zone, entry]),
  );
  if (earlier.size > 0) {
    const did = counted(earlier.size, 'zone');
    notify(
      options,
      context,
      `going on with a run that did ${did} (another --ledger does all of them again)\n`,
    );
  }
  const progress = createProgress(options, context, zones.length);
  const next = wayOn(stage);
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
      concurrency: work.concurrency,
      waves,
      stopped: context.interrupted,
      now: () => new Date(),
      perform: async (group) => {
        const { json, line, exitCode } = await work.perform(group);
        return { outcome: exitCode === 0 ? 'done' : 'attention', line, result: json };
      },
      onZone: progress.tell,
    });
    return renderFleet(outcomes, refused, ledger.findings, { ledger: path, next });
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
