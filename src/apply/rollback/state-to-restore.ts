import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { parseAddress } from '../../core/resource-address';
import { type Plan, type PlanState, promisedBy, type Step } from '../../plan/plan';
import { findPlannedBackup, readBackup } from '../journal/backup-folder';
import { backupOf, type JournalEntry, sinceRollback } from '../journal/journal';
import { differsByPlanAlone, isSameText, type OwnChanges } from '../preflight/compare-states';
import { type LiveState, readLiveState } from '../preflight/live-state';

/** A state, and how a rollback restores it. */
export interface StateToRestore {
  readonly planned: PlanState;
  /** The state from before with a serial above the present one, to push. */
  readonly text?: string;
  /** What the plan imported into a state that it created, to remove. */
  readonly imported?: readonly string[];
  /** The state as it is now. */
  readonly live: LiveState;
  /** The state as the rollback leaves it. */
  readonly after: LiveState;
  /** Whether there is a backup from before. */
  readonly hasBackup: boolean;
}

/** Whether a rollback changes a state. */
export function isToChange({ text, imported }: StateToRestore): boolean {
  return text !== undefined || imported !== undefined;
}

/** Where a rollback finds what it needs. */
export interface RestoreSource {
  readonly plan: Plan;
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
  /** Overwrite what was changed since by others. */
  readonly force: boolean;
}

/**
 * What a state was before the plan.
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
  // a backup that was taken after others had applied steps is not the state from before
  const isLate =
    bytes !== undefined && doneOfPlan(planned, plan.steps, readLiveState(bytes).addresses) !== '';
  if (backup === undefined || bytes === undefined || isLate) {
    const imported = [...live.addresses].filter((one) => own.present.has(one));
    if (planned.lineage !== '' || imported.length === 0) return { ...unchanged, hasBackup: false };
    const addresses = new Set([...live.addresses].filter((one) => !own.present.has(one)));
    return { ...unchanged, imported, after: { ...live, addresses }, hasBackup: false };
  }
  const name = `state ${printable(planned.name, 80)}`;
  const isSame = live.lineage === backup.lineage;
  if (live.lineage !== '' && !isSame) {
    throw new MigrationError('STATE_CHANGED', `${name} is not the state that was backed up`, {
      hint: 'select the backend and workspace of the plan; no flag overrides this',
    });
  }
  if (isSame && isSameText(bytes, live.bytes)) return { ...unchanged, hasBackup: true };
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
  return { planned, text, live, after: readLiveState(Buffer.from(text)), hasBackup: true };
}

/** The state with another serial, every other character of it kept. */
function withSerial(text: string, serial: number): string {
  const raised = text.replace(/^(\s*\{[^{}[\]]*?"serial"\s*:\s*)\d+/, `$1${serial}`);
  const document = parseJson(raised);
  if (isJsonObject(document) && document['serial'] === serial) return raised;
  throw new MigrationError('BACKUP_INVALID', 'the state has no serial where Terraform writes it');
}

/**
 * The ids of the steps that `apply` has begun since the last rollback. The last one before it counts as well: its
 * Terraform may still wait for the lock, outlive the rollback, and write then.
 */
function begunSteps(entries: readonly JournalEntry[]): ReadonlySet<string> {
  const last = entries.findLast(({ event }) => event === 'start' || event === 'done');
  return new Set(
    [...sinceRollback(entries), ...(last === undefined ? [] : [last])].flatMap((one) =>
      one.event === 'start' ? [one.step] : [],
    ),
  );
}

/** What `apply` may have changed in a state. Steps that it has not begun may have been done by others. */
function ownChanges(plan: Plan, state: string, entries: readonly JournalEntry[]): OwnChanges {
  const begun = begunSteps(entries);
  const expected = plan.steps
    .filter((step) => step.state === state && begun.has(step.id))
    .flatMap(({ expects }) => expects ?? []);
  const drifted = sinceRollback(entries).flatMap((one) =>
    one.event === 'drifted' && one.state === state ? one.addresses : [],
  );
  return {
    gone: new Set(expected.flatMap(({ gone = [] }) => gone)),
    present: new Set([...expected.flatMap(({ present = [] }) => present), ...drifted]),
  };
}

/** What of the steps is done in a state, in words; empty where it is the state of before. */
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
  // a ruleset that is imported again was there before
  const held = present.filter((one) => addresses.has(one) && !removed.has(one));
  const missing = gone.filter((one) => !addresses.has(one) && wasThere(one));
  const named = ([first = '', ...more]: readonly string[]): string =>
    `${printable(first, 200)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  return [
    ...(held.length === 0 ? [] : [`holds ${named(held)}`]),
    ...(missing.length === 0 ? [] : [`no longer holds ${named(missing)}`]),
  ].join(', and ');
}

/**
 * Checks that every state will be as before the plan. Where others have applied the steps, as the run of a pull
 * request does, or the journal has lost the line of the backup, Terraform would destroy the ruleset with the old
 * files, and create what was removed from the state.
 * @throws MigrationError `STATE_CHANGED`, whatever was forced
 */
export function requireAsBefore(
  states: readonly StateToRestore[],
  plan: Plan,
  folder: string,
): void {
  const changed = states.flatMap(({ planned, after, hasBackup }) => {
    const done = doneOfPlan(planned, plan.steps, after.addresses);
    if (done === '') return [];
    const name = `state ${printable(planned.name, 80)}`;
    // a backup that only the journal has lost is in its folder
    const copy = hasBackup ? undefined : findPlannedBackup(planned, plan, folder);
    return {
      text: `${name} (serial ${after.serial}, planned for ${planned.serial}) ${done}`,
      copy: copy ?? `the version of ${name} with serial ${planned.serial} that its backend keeps`,
    };
  });
  if (changed.length === 0) return;
  const copies = changed.map(({ copy }) => copy).join(' and ');
  throw new MigrationError(
    'STATE_CHANGED',
    `the steps are done, but the journal has no backup from before: ${changed.map(({ text }) => text).join('; ')}. With the files from before, Terraform would destroy or create these`,
    {
      hint: `keep the files, also in git, and run \`apply\` or plan again; or push ${copies} with a higher serial first (terraform state push), then run the same rollback, without \`terraform apply\` in between; no flag overrides this`,
    },
  );
}
