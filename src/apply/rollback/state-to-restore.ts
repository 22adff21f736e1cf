import { join } from 'node:path';
import { isJsonObject, parseJson, sha256 } from '../../core/json';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { parseAddress } from '../../core/resource-address';
import { BACKUP_FOLDER } from '../../files/backups';
import { inspectTarget } from '../../files/write-files';
import { type Plan, type PlanState, promisedBy, type Step } from '../../plan/plan-schema';
import { compareStates, hasSameContent } from '../../tfstate/compare-states';
import { backupOf, type JournalEntry } from '../journal/journal';
import { type LiveState, readLiveState } from '../live-state';

/** A state, and how a rollback restores it. */
export interface StateToRestore {
  readonly planned: PlanState;
  /** The earlier state to push, with a serial above the current one. */
  readonly text?: string;
  /** Addresses to remove from a state that the plan created. */
  readonly imported?: readonly string[];
  readonly live: LiveState;
  /** The state after the rollback. */
  readonly after: LiveState;
}

export function isToChange({ text, imported }: StateToRestore): boolean {
  return text !== undefined || imported !== undefined;
}

/** The managed resources that leave a state, also those that other processes added. */
export function leavingAddresses({ imported, live, after }: StateToRestore): readonly string[] {
  return imported ?? compareStates(live.bytes, after.bytes).missing;
}

export interface RestoreSource {
  readonly plan: Plan;
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
  /** Overwrite later changes of other processes. */
  readonly force: boolean;
  /** Whether a rollback has restored everything before: then later changes of other processes stay. */
  readonly isRepeated: boolean;
}

/**
 * Determines how a rollback restores a state.
 * @throws MigrationError `STATE_CHANGED`, `BACKUP_INVALID`
 */
export function stateToRestore(
  planned: PlanState,
  live: LiveState,
  source: RestoreSource,
): StateToRestore {
  const { plan, folder, entries, force, isRepeated } = source;
  const own = ownChanges(plan, planned.name, entries);
  const backup = backupOf(planned.name, entries);
  if (backup === undefined) return withoutBackup(planned, live, own);
  const bytes = readBackup(join(folder, backup.file), backup.sha256);
  // a backup made after other processes ran steps is not the state from before
  const isLate = describeDone(plan.steps, planned, readLiveState(bytes)).length > 0;
  if (isLate) return withoutBackup(planned, live, own);
  const name = `state ${printable(planned.name, 80)}`;
  const isSameLineage = live.lineage === backup.lineage;
  if (live.lineage !== '' && !isSameLineage) {
    throw new MigrationError('STATE_CHANGED', `${name} is not the state that was backed up`, {
      hint: 'select the backend and workspace of the plan; no flag overrides this',
    });
  }
  const unchanged = { planned, live, after: live };
  if (isSameLineage && hasSameContent(bytes, live.bytes)) return unchanged;
  // without a lineage, the state is empty
  const isEmpty = live.lineage === '';
  const foreign = changesOfOthers(bytes, live.bytes, own);
  if (!force && (isEmpty || foreign.length > 0)) {
    if (isRepeated) return unchanged;
    const what = foreign.length === 0 ? '' : `: ${printable(listed(foreign), 300)}`;
    throw new MigrationError('STATE_CHANGED', `${name} was changed after the backup${what}`, {
      hint: 'run `apply`, which detects what is done, or plan again; pass --force to restore the state anyway: later changes are removed from it, so import added resources again; a copy of the present state is kept in the backup folder',
    });
  }
  const text = withSerial(bytes.toString('utf8'), live.serial + 1);
  return { planned, text, live, after: readLiveState(Buffer.from(text)) };
}

interface OwnChanges {
  readonly gone: ReadonlySet<string>;
  readonly present: ReadonlySet<string>;
}

/** The addresses in which a state differs from its backup by more than the plan changes. */
function changesOfOthers(backup: Buffer, live: Buffer, own: OwnChanges): string[] {
  const { missing, changed } = compareStates(backup, live);
  return [
    ...changed.filter((address) => !own.present.has(address)),
    ...missing.filter((address) => !own.gone.has(address)),
  ];
}

/** Only from a state that the plan created, its imports are removed. */
function withoutBackup(planned: PlanState, live: LiveState, { present }: OwnChanges) {
  const imported = [...live.addresses].filter((one) => present.has(one));
  if (planned.lineage !== '' || imported.length === 0) return { planned, live, after: live };
  const addresses = new Set([...live.addresses].filter((one) => !present.has(one)));
  return { planned, live, imported, after: { ...live, addresses } };
}

/** Replaces the serial, and keeps every other character. */
function withSerial(text: string, serial: number): string {
  const raised = text.replace(/^(\s*\{[^{}[\]]*?"serial"\s*:\s*)\d+/, `$1${serial}`);
  const document = parseJson(raised);
  if (isJsonObject(document) && document['serial'] === serial) return raised;
  throw new MigrationError('BACKUP_INVALID', 'the state has no serial where Terraform writes it');
}

/** Returns what `apply` may have changed in a state. Other processes may have run the steps that it did not start. */
function ownChanges(plan: Plan, state: string, entries: readonly JournalEntry[]): OwnChanges {
  const begun = new Set(entries.flatMap((one) => (one.event === 'start' ? one.step : [])));
  const expected = plan.steps
    .filter((step) => step.state === state && begun.has(step.id))
    .flatMap(({ expects }) => expects ?? []);
  const drifted = entries.flatMap((one) =>
    one.event === 'drifted' && one.state === state ? one.addresses : [],
  );
  return {
    gone: new Set(expected.flatMap(({ gone = [] }) => gone)),
    present: new Set([...expected.flatMap(({ present = [] }) => present), ...drifted]),
  };
}

function describeDone(
  steps: readonly Step[],
  { name, lineage }: PlanState,
  { addresses }: LiveState,
): string[] {
  const { gone, present, removed } = promisedBy(steps, name);
  // a state that the plan creates was empty, and data sources are read again
  const wasThere = (one: string): boolean => lineage !== '' && parseAddress(one).mode === 'managed';
  // a ruleset that the plan removes and imports again was in the state before
  const added = present.filter((one) => addresses.has(one) && !removed.includes(one));
  const missing = gone.filter((one) => !addresses.has(one) && wasThere(one));
  const said = (verb: string, those: readonly string[]): string[] =>
    those.length === 0 ? [] : [`${verb} ${printable(listed(those), 300)}`];
  return [...said('has', added), ...said('no longer has', missing)];
}

/**
 * Checks that every state will be as before the plan. It can differ if another process ran the steps, such as
 * the CI run of a pull request, or if the journal lost a backup line. Terraform would then destroy the ruleset,
 * and create the removed resources, with the earlier files.
 * @throws MigrationError `STATE_CHANGED`, also with `force`
 */
export function requireAsBefore(states: readonly StateToRestore[], { steps }: Plan): void {
  const changed = states.flatMap(({ planned, after }) => {
    const done = describeDone(steps, planned, after);
    const serials = `serial ${after.serial}, planned for ${planned.serial}`;
    if (done.length === 0) return [];
    return `state ${printable(planned.name, 80)} (${serials}) ${done.join(', and ')}`;
  });
  if (changed.length === 0) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `the steps are done, but the journal has no backup from before them: ${changed.join('; ')}. If you restored the files now, Terraform would destroy or create these resources`,
    {
      hint: `keep the files, also in git, and run \`apply\` or plan again. To roll back instead, find the state with the planned serial in ${BACKUP_FOLDER} or among the versions that its backend keeps, give it a higher serial, and run \`terraform state push\`. Then run the same rollback; do not run \`terraform apply\` in between. No flag overrides this`,
    },
  );
}

/**
 * Reads a backup.
 * @throws MigrationError `BACKUP_INVALID` if it cannot be read, or has changed
 */
export function readBackup(path: string, digest: string | null): Buffer {
  let bytes: Buffer | undefined;
  try {
    bytes = inspectTarget(path).present?.bytes;
  } catch (error) {
    const { cause } = error instanceof MigrationError ? error : {};
    throw new MigrationError('BACKUP_INVALID', `cannot read the backup ${printable(path)}`, {
      cause,
    });
  }
  if (bytes !== undefined && sha256(bytes) === digest) return bytes;
  throw new MigrationError(
    'BACKUP_INVALID',
    `the backup ${printable(path)} has changed since it was written`,
  );
}
