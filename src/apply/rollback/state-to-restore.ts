import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { parseAddress } from '../../core/resource-address';
import { BACKUP_FOLDER } from '../../files/backup-names';
import { type Plan, type PlanState, promisedBy, type Step } from '../../plan/plan';
import { readBackup } from '../journal/backup-folder';
import { backupOf, type JournalEntry } from '../journal/journal';
import { differsByPlanAlone, isSameText, type OwnChanges } from './compare-states';
import { type LiveState, readLiveState } from '../preflight/live-state';

/** A state, and how a rollback restores it. */
export interface StateToRestore {
  readonly planned: PlanState;
  /** The earlier state to push, with a serial above the current one. */
  readonly text?: string;
  /** Addresses to remove from a state that the plan created. */
  readonly imported?: readonly string[];
  /** The current state. */
  readonly live: LiveState;
  /** The state after the rollback. */
  readonly after: LiveState;
}

/** Whether a rollback changes a state. */
export function isToChange({ text, imported }: StateToRestore): boolean {
  return text !== undefined || imported !== undefined;
}

/** The inputs of a rollback. */
export interface RestoreSource {
  readonly plan: Plan;
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
  /** Overwrite later changes of other processes. */
  readonly force: boolean;
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
  const { plan, folder, entries, force } = source;
  const own = ownChanges(plan, planned.name, entries);
  const backup = backupOf(planned.name, entries);
  const bytes = backup && readBackup(join(folder, backup.file), backup.sha256);
  const unchanged = { planned, live, after: live };
  // a backup made after other processes ran steps is not the state from before
  const isLate =
    bytes !== undefined && doneOfPlan(planned, plan.steps, readLiveState(bytes).addresses) !== '';
  if (backup === undefined || bytes === undefined || isLate) {
    const imported = [...live.addresses].filter((one) => own.present.has(one));
    if (planned.lineage !== '' || imported.length === 0) return unchanged;
    const addresses = new Set([...live.addresses].filter((one) => !own.present.has(one)));
    return { ...unchanged, imported, after: { ...live, addresses } };
  }
  const name = `state ${printable(planned.name, 80)}`;
  const isSame = live.lineage === backup.lineage;
  if (live.lineage !== '' && !isSame) {
    throw new MigrationError('STATE_CHANGED', `${name} is not the state that was backed up`, {
      hint: 'select the backend and workspace of the plan; no flag overrides this',
    });
  }
  if (isSame && isSameText(bytes, live.bytes)) return unchanged;
  if (!force && !(isSame && differsByPlanAlone(bytes, live.bytes, own))) {
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} was changed by another process after the backup`,
      {
        hint: 'run `apply`, which detects what is done, or plan again; pass --force to restore the state anyway: later changes are removed from it, and a copy of the present state is kept in the backup folder',
      },
    );
  }
  const text = withSerial(bytes.toString('utf8'), live.serial + 1);
  return { planned, text, live, after: readLiveState(Buffer.from(text)) };
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

/** Describes which changes of the steps are in a state; empty if there are none. */
function doneOfPlan(
  { name, lineage }: PlanState,
  steps: readonly Step[],
  addresses: ReadonlySet<string>,
): string {
  const { gone, present } = promisedBy(steps, name);
  const removed = new Set(
    steps.flatMap(({ state, expects }) => (state === name ? (expects?.gone ?? []) : [])),
  );
  // a state that the plan creates was empty, and data sources are read again
  const wasThere = (one: string): boolean => lineage !== '' && parseAddress(one).mode === 'managed';
  // a ruleset that the plan removes and imports again was in the state before
  const held = present.filter((one) => addresses.has(one) && !removed.has(one));
  const missing = gone.filter((one) => !addresses.has(one) && wasThere(one));
  const said = (verb: string, those: readonly string[]): string[] =>
    those.length === 0 ? [] : [`${verb} ${printable(listed(those), 300)}`];
  return [...said('holds', held), ...said('no longer holds', missing)].join(', and ');
}

/**
 * Checks that every state will be as before the plan. It can differ if another process ran the steps, such as
 * the CI run of a pull request, or if the journal lost a backup line. Terraform would then destroy the ruleset,
 * and create the removed resources, with the earlier files.
 * @throws MigrationError `STATE_CHANGED`, also with `force`
 */
export function requireAsBefore(states: readonly StateToRestore[], { steps }: Plan): void {
  const changed = states.flatMap(({ planned, after }) => {
    const done = doneOfPlan(planned, steps, after.addresses);
    const serials = `serial ${after.serial}, planned for ${planned.serial}`;
    return done === '' ? [] : `state ${printable(planned.name, 80)} (${serials}) ${done}`;
  });
  if (changed.length === 0) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `the steps are done, but the journal has no backup from before them: ${changed.join('; ')}. If you restored the files now, Terraform would destroy or create these resources`,
    {
      hint: `keep the files, also in git, and run \`apply\` or plan again. To roll back instead, push the state with the planned serial, from ${BACKUP_FOLDER} or the versions that its backend keeps, with a higher serial (terraform state push), then run the same rollback; do not run \`terraform apply\` in between. No flag overrides this`,
    },
  );
}
