import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { mayDeclare } from '../../plan/edit-configuration';
import { binaryObstacle } from '../../plan/order';
import { type Plan, type PlanState } from '../../plan/plan';
import { readTerraformVersion, PULLS_AT_ONCE, statePull } from '../../terraform/subcommands';
import { noTemporaryFolder } from '../../terraform/temporary-folder';
import { type ApplyRequest } from '../apply-context';
import { isRolledBack, type JournalEntry, sinceRollback } from '../journal/journal';
import { readBackup } from '../journal/backup-folder';
import { readConfiguration } from '../../project/read-configuration';
import { isSameState } from './compare-states';
import {
  dueImports,
  type LiveState,
  otherRulesets,
  readLiveState,
  requireNotElsewhere,
  requirePlanned,
} from './live-state';
import { requirePlannedFiles } from '../steps/edit';

/**
 * Before anything is changed, and with the lock of the plan: the states are those that were planned for, no ruleset
 * that is to be imported stands elsewhere in them, the rulesets are live as long as one is to be imported, the binary
 * can do what is asked of it, the files that are edited are those that were planned for, their folders
 * are writable. All at once; of several faults the first in this order is told.
 *
 * @param entries of the journal
 * @returns the states by name
 * @throws MigrationError `STATE_CHANGED`, `METHOD_UNSUITABLE`, `RULESET_NOT_LIVE`, `CONFIG_CHANGED`,
 *   `FILE_UNWRITABLE`,
 *   those of Terraform
 */
export async function preflight(
  request: ApplyRequest,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<string, LiveState>> {
  const isFirstRun = !sinceRollback(entries).some(({ event }) => event === 'start');
  const checks = [
    readStates(request, entries, isFirstRun),
    (isFirstRun ? request.checkRulesets?.() : undefined) ?? Promise.resolve(),
    requireBinary(request),
    // `--only edits` looks at the edits that it makes
    request.only === undefined
      ? undeclaredImports(request.plan, request.folder)
      : Promise.resolve([]),
  ] as const;
  await Promise.allSettled(checks);
  const [live, , , undeclared] = await Promise.all(checks);
  requireNotElsewhere(request.plan, live);
  // the runs before may have had no credentials to ask with
  if (!isFirstRun && dueImports(request.plan, live).length > 0) await request.checkRulesets?.();
  if (request.only === undefined) {
    await requirePlannedFiles(request.plan.steps, { ...request, journal: { entries } });
    requireDeclared(undeclared, request.plan, live);
  }
  requireWritable(request);
  return live;
}

/** The lock and the journal have shown it for the folder of the plan. */
function requireWritable({ plan, folder }: ApplyRequest): void {
  const edits = plan.steps.flatMap((step) => step.edits ?? []);
  const places = new Set(edits.map(({ file }) => dirname(join(folder, file))));
  for (const place of places) {
    // a folder that a step makes is not there yet
    if (!existsSync(place)) continue;
    try {
      accessSync(place, constants.W_OK);
    } catch (cause) {
      throw new MigrationError('FILE_UNWRITABLE', `cannot write in ${printable(place)}`, { cause });
    }
  }
  try {
    accessSync(tmpdir(), constants.W_OK);
  } catch (cause) {
    throw noTemporaryFolder(cause);
  }
}

/** Before anything is changed: the states that were planned for, and nothing else. */
async function readStates(
  { plan, folder, terraform }: ApplyRequest,
  entries: readonly JournalEntry[],
  isFirstRun: boolean,
): Promise<Map<string, LiveState>> {
  const live = new Map<string, LiveState>();
  const pulled = await mapConcurrently(plan.states, PULLS_AT_ONCE, ({ dir }) =>
    statePull({ ...terraform, dir: join(folder, dir) }),
  );
  for (const [at, planned] of plan.states.entries()) {
    const state = readLiveState(pulled[at] ?? Buffer.alloc(0));
    const before = isRolledBack(entries) ? stateBefore(planned, entries, folder) : undefined;
    // a rollback raises the serial: then it is what was put back that says what was planned for
    requirePlanned(state, planned, isFirstRun && before === undefined);
    if (before !== undefined) requirePutBack(state, before, planned.name);
    requireNoOther(otherRulesets(state, plan, planned.name), planned.name);
    live.set(planned.name, state);
  }
  return live;
}

/** What stands at a planned address is imported no more. @throws MigrationError `STATE_CHANGED` */
function requireNoOther([address]: readonly string[], name: string): void {
  if (address === undefined) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(name, 80)} has another ruleset at ${printable(address, 200)} than was planned`,
    { hint: 'make the plan again: it takes an address that is free' },
  );
}

type BackupEntry = Extract<JournalEntry, { event: 'backup' }>;

/**
 * A state as a rollback puts it back: of one that the plan made there is no backup, and nothing in it again.
 * @returns undefined where nothing was done in it
 * @throws MigrationError `BACKUP_INVALID`
 */
function stateBefore(
  { name, lineage }: PlanState,
  entries: readonly JournalEntry[],
  folder: string,
): Buffer | undefined {
  const entry = entries.find(
    (one): one is BackupEntry => one.event === 'backup' && one.state === name,
  );
  if (entry !== undefined) return readBackup(join(folder, entry.file), entry.sha256);
  return lineage === '' ? Buffer.alloc(0) : undefined;
}

/**
 * After a rollback the plan is good for the state that was put back, and for no other: its backup is
 * what the next rollback goes back to.
 * @throws MigrationError `STATE_CHANGED`
 */
function requirePutBack({ bytes }: LiveState, before: Buffer, name: string): void {
  if (isSameState(before, bytes)) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(name, 80)} was written by somebody else since the plan was rolled back`,
  );
}

/**
 * Only blocks ask for more than any Terraform of today does: it is looked at before the edit.
 * @throws MigrationError `METHOD_UNSUITABLE`
 */
async function requireBinary({ plan, folder, terraform }: ApplyRequest): Promise<void> {
  const step = plan.steps.find(({ kind }) => kind === 'apply-blocks');
  if (step === undefined) return;
  const version = await readTerraformVersion({ ...terraform, dir: folder });
  const obstacle =
    version === undefined
      ? 'which version the binary is cannot be told: `version` does not say so in a line of its own'
      : binaryObstacle(version);
  if (obstacle === undefined) return;
  throw new MigrationError('METHOD_UNSUITABLE', `step ${step.id} does not work: ${obstacle}`, {
    hint: 'pass another binary with --terraform, or plan with --method commands',
  });
}

/**
 * The addresses that a plan imports after a removal, that no step of it declares, and that the configuration no longer
 * declares as it did when the plan was made. Terraform imports nothing else, and would refuse after the removal. Where
 * the import comes first, Terraform refuses before anything is changed, and no configuration is read.
 */
async function undeclaredImports(
  { steps, states, zones }: Plan,
  folder: string,
): Promise<string[]> {
  const undeclared: string[] = [];
  const read = new Map<string, ReturnType<typeof readConfiguration>>();
  for (const { address, state } of zones.map(({ ruleset }) => ruleset)) {
    const dir = states.find(({ name }) => name === state)?.dir;
    // another state may have another ruleset at the same address
    const own = steps.filter(
      (one) =>
        one.state === state &&
        one.addresses?.includes(address) &&
        ['edit', 'manual', 'import'].includes(one.kind),
    );
    const [first] = own;
    const removal = steps.findIndex((one) => one.kind === 'remove' && one.state === state);
    if (dir === undefined || first?.kind !== 'import') continue;
    if (removal < 0 || steps.indexOf(first) < removal) continue;
    const reading = read.get(dir) ?? readConfiguration(dir, folder);
    read.set(dir, reading);
    const configuration = await reading;
    if (configuration !== undefined && mayDeclare(configuration, address)) continue;
    undeclared.push(address);
  }
  return undeclared;
}

/** @throws MigrationError `CONFIG_CHANGED` */
function requireDeclared(
  undeclared: readonly string[],
  plan: Plan,
  live: ReadonlyMap<string, LiveState>,
): void {
  const address = dueImports(plan, live).find((one) => undeclared.includes(one.address))?.address;
  if (address === undefined) return;
  throw new MigrationError(
    'CONFIG_CHANGED',
    `${printable(address, 200)} is no longer declared, as it was when the plan was made, and Terraform imports nothing else`,
  );
}
