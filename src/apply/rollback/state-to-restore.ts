import { join } from 'node:path';
import { type JsonArrayNode, parseJsonTree } from '../../tfconfig/json-tree';
import { isJsonObject } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, type PlanState, type Step, promisedBy } from '../../plan/plan';
import { parseAddress } from '../../core/resource-address';
import { type JournalEntry, sinceRollback } from '../journal/journal';
import { readBackup } from '../journal/backup-folder';
import {
  addressesOf,
  differsByPlanAlone,
  isSameText,
  type OwnChanges,
} from '../preflight/compare-states';
import { heldElsewhere, type LiveState, readLiveState, takeOver } from '../preflight/live-state';

type BackupEntry = Extract<JournalEntry, { event: 'backup' }>;

/** A state, and what a rollback pushes. */
export interface StateToRestore {
  readonly planned: PlanState;
  /** The old state with a serial above the present one; undefined where it is as it was. */
  readonly text: string | undefined;
  /** The state as it is now. */
  readonly live: LiveState;
  /** The state as the rollback leaves it. */
  readonly after: LiveState;
  /** Whether there is a backup of before. */
  readonly hasBackup: boolean;
}

/** Where a rollback finds what it needs. */
export interface RestoreSource {
  readonly plan: Plan;
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
  /** Take what somebody else has written, too. */
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
  const backup = entries.find(
    (one): one is BackupEntry => one.event === 'backup' && one.state === planned.name,
  );
  const bytes =
    backup === undefined ? undefined : readBackup(join(folder, backup.file), backup.sha256);
  if (backup === undefined || bytes === undefined || isLate(bytes, planned, plan)) {
    // the plan has made this one: only what it imported leaves it
    const text = planned.lineage === '' ? withoutOwn(live, own.present) : undefined;
    return { planned, text, live, after: stateAfter(text, live), hasBackup: false };
  }
  const name = `state ${printable(planned.name, 80)}`;
  const isSame = live.lineage === backup.lineage;
  if (live.lineage !== '' && !isSame) {
    throw new MigrationError('STATE_CHANGED', `${name} is another one than was backed up`, {
      hint: 'lead Terraform to the state of the plan: backend, workspace; no flag goes over that',
    });
  }
  // nothing of ours was written, or an earlier rollback has put it back
  if (isSame && isSameText(bytes, live.bytes)) {
    return { planned, text: undefined, live, after: live, hasBackup: true };
  }
  const isOurs = isSame && differsByPlanAlone(bytes, live.bytes, own);
  if (!isOurs && !force) throw writtenByOthers(planned, live, source);
  const text = withSerial(bytes.toString('utf8'), live.serial + 1);
  return { planned, text, live, after: stateAfter(text, live), hasBackup: true };
}

/** Where what they wrote is what the plan was still to do, or does it in another way, there is a way on. */
function writtenByOthers(
  planned: PlanState,
  live: LiveState,
  { plan, entries }: RestoreSource,
): MigrationError {
  const written = `state ${printable(planned.name, 80)} was written by somebody else since the backup`;
  const [elsewhere] = heldElsewhere(plan, new Map([[planned.name, live]]));
  if (elsewhere !== undefined) {
    return new MigrationError(
      'STATE_CHANGED',
      `${written}: it holds the ruleset as ${printable(elsewhere.address, 200)}, and ${printable(elsewhere.due, 200)} was planned`,
      {
        hint: `${takeOver}; --force would bring the old entries back, and drop theirs from the state though the ruleset is live`,
      },
    );
  }
  const { others } = byBegun(plan, entries);
  const done = describeDone(doneOfPlan(planned, { steps: others }, live.addresses));
  const [more, wayOn] =
    done === ''
      ? ['', '']
      : [
          `: it ${done}, and the journal has begun no step that does so`,
          'go on with `apply`, which finds out what is done, or plan again; ',
        ];
  const hint = `${wayOn}pass --force to put the old state back all the same: what they wrote leaves the state, and is kept as a copy among the backups`;
  return new MigrationError('STATE_CHANGED', `${written}${more}`, { hint });
}

function stateAfter(text: string | undefined, live: LiveState): LiveState {
  return text === undefined ? live : readLiveState(Buffer.from(text));
}

/** Whether a backup was taken when somebody else had carried steps out: it is none of the state of before. */
function isLate(bytes: Buffer, planned: PlanState, plan: Plan): boolean {
  const { held, missing } = doneOfPlan(planned, plan, readLiveState(bytes).addresses);
  return held.length + missing.length > 0;
}

/** The state without the entries that a plan has put into it; undefined where it has none of them. */
function withoutOwn(live: LiveState, own: ReadonlySet<string>): string | undefined {
  const text = live.bytes.toString('utf8');
  const resources = resourcesOf(text);
  if (resources === undefined) return undefined;
  // a resource without an instance is nobody's, and no reason to push
  const isOwn = (addresses: readonly string[]): boolean =>
    addresses.length > 0 && addresses.every((address) => own.has(address));
  const others = resources.items
    .map(({ start, end }) => text.slice(start, end))
    .filter((item) => {
      const resource: unknown = JSON.parse(item);
      return !isJsonObject(resource) || !isOwn(addressesOf(resource));
    });
  if (others.length === resources.items.length) return undefined;
  const [before, after] = [text.slice(0, resources.start), text.slice(resources.end)];
  return withSerial(`${before}[${others.join(', ')}]${after}`, live.serial + 1);
}

/** Where the resources stand: what is read as values and written anew has lost the digits of long numbers. */
function resourcesOf(text: string): JsonArrayNode | undefined {
  if (text === '') return undefined;
  const root = parseJsonTree(text, (_, what) => {
    throw new MigrationError('STATE_INVALID', `the state cannot be read: ${what}`);
  });
  const value =
    root.kind === 'object'
      ? root.members.find(({ name }) => name === 'resources')?.value
      : undefined;
  return value?.kind === 'array' ? value : undefined;
}

/** The state with another serial, every other character of it kept. */
function withSerial(text: string, serial: number): string {
  const raised = text.replace(/^(\s*\{[^{}[\]]*?"serial"\s*:\s*)\d+/, `$1${serial}`);
  const document: unknown = JSON.parse(raised);
  if (isJsonObject(document) && document['serial'] === serial) return raised;
  throw new MigrationError('BACKUP_INVALID', 'the state has no serial where Terraform writes it');
}

/**
 * The steps that `apply` has begun since the last rollback, and those whose work is somebody else's where it is done.
 * Begun is also the step that a run left in the middle before: its Terraform may wait for the lock still, outlive the
 * rollback, and write then.
 */
function byBegun(
  { steps }: Plan,
  entries: readonly JournalEntry[],
): { readonly begun: readonly Step[]; readonly others: readonly Step[] } {
  const last = entries.findLast(({ event }) => event === 'start' || event === 'done');
  const ids = new Set(
    [...sinceRollback(entries), ...(last === undefined ? [] : [last])].flatMap((one) =>
      one.event === 'start' ? [one.step] : [],
    ),
  );
  return {
    begun: steps.filter(({ id }) => ids.has(id)),
    others: steps.filter(({ id }) => !ids.has(id)),
  };
}

/**
 * What `apply` may have changed in a state: what the steps that it has begun add and remove. A colleague, or a later
 * plan, can have carried out the others.
 */
function ownChanges(plan: Plan, state: string, entries: readonly JournalEntry[]): OwnChanges {
  const expected = byBegun(plan, entries)
    .begun.filter((step) => step.state === state)
    .flatMap(({ expects }) => expects ?? []);
  const drifted = sinceRollback(entries).flatMap((one) =>
    one.event === 'drifted' && one.state === state ? one.addresses : [],
  );
  return {
    gone: new Set(expected.flatMap(({ gone = [] }) => gone)),
    present: new Set([...expected.flatMap(({ present = [] }) => present), ...drifted]),
  };
}

/** What of a plan is done, by the addresses of a state. */
interface DoneOfPlan {
  /** What it takes in, and the state holds. */
  readonly held: readonly string[];
  /** What it lets go, and the state no longer holds. */
  readonly missing: readonly string[];
}

/** What of a plan shows in a state: nothing, where that is the state of before. */
export function doneOfPlan(
  { name, lineage }: PlanState,
  { steps }: Pick<Plan, 'steps'>,
  addresses: ReadonlySet<string>,
): DoneOfPlan {
  const { gone, present } = promisedBy(steps, name);
  const removed = new Set(
    steps.flatMap(({ state, expects }) => (state === name ? (expects?.gone ?? []) : [])),
  );
  // a state that the plan makes had nothing in it; what a data source says is read anew
  const wasThere = (one: string): boolean => lineage !== '' && parseAddress(one).mode === 'managed';
  return {
    // a ruleset that is imported again was there before, too
    held: present.filter((one) => addresses.has(one) && !removed.has(one)),
    missing: gone.filter((one) => !addresses.has(one) && wasThere(one)),
  };
}

/** What a state holds, and no longer holds; empty where nothing is done. */
export function describeDone({ held, missing }: DoneOfPlan): string {
  return [
    ...(held.length === 0 ? [] : [`holds ${named(held)}`]),
    ...(missing.length === 0 ? [] : [`no longer holds ${named(missing)}`]),
  ].join(', and ');
}

function named([first = '', ...more]: readonly string[]): string {
  return `${printable(first, 200)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
