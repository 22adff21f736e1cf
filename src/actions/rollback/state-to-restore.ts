import { join } from 'node:path';
import { isJsonArray, isJsonObject } from '../../model/json';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan, type PlanState } from '../../plan/plan';
import { addressesOf, differsByPlanAlone, type OwnChanges } from '../preflight/compare-states';
import { type JournalEntry } from '../journal/journal';
import { type LiveState } from '../preflight/live-state';
import { readBackup } from '../journal/read-backup';
import { sinceRollback } from '../journal/since-rollback';

type BackupEntry = Extract<JournalEntry, { event: 'backup' }>;

/** A state, and what a rollback pushes. */
export interface StateToRestore {
  readonly planned: PlanState;
  /** The old state with a serial above the present one; undefined where it is as it was. */
  readonly text: string | undefined;
  /** The state as it is now, where somebody else has written it since. */
  readonly foreign: LiveState | undefined;
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
  { plan, folder, entries, force }: RestoreSource,
): StateToRestore {
  const own = ownChanges(plan, planned.name, entries);
  const backup = entries.find(
    (one): one is BackupEntry => one.event === 'backup' && one.state === planned.name,
  );
  if (backup === undefined) {
    // the plan has made this one: only what it imported leaves it
    const text = planned.lineage === '' ? withoutOwn(live, own.present) : undefined;
    return { planned, text, foreign: undefined };
  }
  const bytes = readBackup(join(folder, backup.file), backup.sha256);
  // nothing of ours was written
  if (live.bytes.equals(bytes)) return { planned, text: undefined, foreign: undefined };
  const name = `state ${printable(planned.name, 80)}`;
  const isSame = live.lineage === backup.lineage;
  if (live.lineage !== '' && !isSame) {
    throw new MigrationError('STATE_CHANGED', `${name} is another one than was backed up`, {
      hint: 'lead Terraform to the state of the plan: backend, workspace; no flag goes over that',
    });
  }
  const isOurs =
    isSame &&
    // a rollback that was killed has put it back already
    (differsByPlanAlone(bytes, live.bytes, { gone: none, present: none }) ||
      differsByPlanAlone(copyOf(planned, entries, folder) ?? bytes, live.bytes, own));
  if (!isOurs && !force) {
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} was written by somebody else since the backup`,
      {
        hint: 'what they wrote would be lost; pass --force to put the old state back all the same',
      },
    );
  }
  return {
    planned,
    text: withSerial(bytes, live.serial + 1),
    foreign: isOurs ? undefined : live,
  };
}

const none: ReadonlySet<string> = new Set();

/** Steps that have Terraform read every data source, and write every output. */
const deriving: ReadonlySet<string> = new Set(['import', 'apply-blocks', 'apply-refresh']);

function ownChanges(plan: Plan, state: string, entries: readonly JournalEntry[]): OwnChanges {
  const steps = plan.steps.filter((step) => step.state === state);
  const expected = steps.flatMap(({ expects }) => expects ?? []);
  const drifted = sinceRollback(entries).flatMap((one) =>
    one.event === 'drifted' && one.state === state ? one.addresses : [],
  );
  const rewritten = expected.flatMap((one) => one.rewritten ?? []);
  return {
    gone: new Set([...expected.flatMap(({ gone = [] }) => gone), ...rewritten]),
    present: new Set([
      ...expected.flatMap(({ present = [] }) => present),
      ...rewritten,
      ...drifted,
    ]),
    isDerivedAnew: steps.some(({ kind }) => deriving.has(kind)),
  };
}

/** A refresh writes every entry anew: from then on, what differs from its copy is somebody else's. */
function copyOf(
  { name }: PlanState,
  entries: readonly JournalEntry[],
  folder: string,
): Buffer | undefined {
  const copy = sinceRollback(entries).findLast(
    (one) => one.event === 'refreshed' && one.state === name,
  );
  return copy?.event === 'refreshed' ? readBackup(join(folder, copy.file), copy.sha256) : undefined;
}

/** The state without the entries that a plan has put into it; undefined where it has none of them. */
function withoutOwn(live: LiveState, own: ReadonlySet<string>): string | undefined {
  const document: unknown = live.bytes.length === 0 ? {} : JSON.parse(live.bytes.toString('utf8'));
  if (!isJsonObject(document) || !isJsonArray(document['resources'])) return undefined;
  const resources = document['resources'].filter(
    (one) => !isJsonObject(one) || !addressesOf(one).every((address) => own.has(address)),
  );
  if (resources.length === document['resources'].length) return undefined;
  const rest = { ...document, serial: live.serial + 1, resources };
  return `${JSON.stringify(rest, null, 2)}\n`;
}

/** The state with another serial, every other character of it kept. */
function withSerial(bytes: Buffer, serial: number): string {
  const text = bytes.toString('utf8');
  const raised = text.replace(/^(\s*\{[^{}[\]]*?"serial"\s*:\s*)\d+/, `$1${serial}`);
  const document: unknown = JSON.parse(raised);
  if (isJsonObject(document) && document['serial'] === serial) return raised;
  throw new MigrationError(
    'BACKUP_INVALID',
    'the backup of the state has no serial where Terraform writes it',
  );
}
