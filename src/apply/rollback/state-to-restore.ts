import { join } from 'node:path';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsOf,
  parseJson,
  textOf,
} from '../../core/json';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { parseAddress, printAddress } from '../../core/resource-address';
import { BACKUP_FOLDER } from '../../files/backups';
import { type Plan, type PlanState, promisedBy, type Step } from '../../plan/plan-schema';
import { readBackup } from '../journal/secure-backup-folder';
import { backupOf, type JournalEntry } from '../journal/journal';
import { type LiveState, readLiveState } from '../preflight/live-state';

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
  if (imported !== undefined) return imported;
  const left = instancesOf(after.bytes);
  return [...instancesOf(live.bytes).keys()].filter((address) => !left.has(address));
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
  const isLate = changesOf(plan.steps, planned, readLiveState(bytes)).length > 0;
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
  const foreign = force ? [] : changesOfOthers(bytes, live.bytes, own);
  if (!force && !(isSameLineage && foreign.length === 0)) {
    if (isRepeated) return unchanged;
    const what = foreign.length === 0 ? '' : `: ${printable(listed(foreign), 300)}`;
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} was changed by another process after the backup${what}`,
      {
        hint: 'run `apply`, which detects what is done, or plan again; pass --force to restore the state anyway: later changes are removed from it, and a copy of the present state is kept in the backup folder',
      },
    );
  }
  const text = withSerial(bytes.toString('utf8'), live.serial + 1);
  return { planned, text, live, after: readLiveState(Buffer.from(text)) };
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

/** Describes which changes of the steps a state has. */
function changesOf(
  steps: readonly Step[],
  { name, lineage }: PlanState,
  { addresses }: LiveState,
): string[] {
  const { gone, present, removed } = promisedBy(steps, name);
  // a state that the plan creates was empty, and data sources are read again
  const wasThere = (one: string): boolean => lineage !== '' && parseAddress(one).mode === 'managed';
  // a ruleset that the plan removes and imports again was in the state before
  const held = present.filter((one) => addresses.has(one) && !removed.includes(one));
  const missing = gone.filter((one) => !addresses.has(one) && wasThere(one));
  const said = (verb: string, those: readonly string[]): string[] =>
    those.length === 0 ? [] : [`${verb} ${printable(listed(those), 300)}`];
  return [...said('has', held), ...said('no longer has', missing)];
}

/**
 * Checks that every state will be as before the plan. It can differ if another process ran the steps, such as
 * the CI run of a pull request, or if the journal lost a backup line. Terraform would then destroy the ruleset,
 * and create the removed resources, with the earlier files.
 * @throws MigrationError `STATE_CHANGED`, also with `force`
 */
export function requireAsBefore(states: readonly StateToRestore[], { steps }: Plan): void {
  const changed = states.flatMap(({ planned, after }) => {
    const done = changesOf(steps, planned, after);
    const serials = `serial ${after.serial}, planned for ${planned.serial}`;
    if (done.length === 0) return [];
    return `state ${printable(planned.name, 80)} (${serials}) ${done.join(', and ')}`;
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

interface OwnChanges {
  readonly gone: ReadonlySet<string>;
  readonly present: ReadonlySet<string>;
}

/**
 * The addresses in which a state differs from its backup by more than the plan changes. It compares addresses, ids, taints,
 * and the attributes that both have. It ignores what an import rewrites elsewhere in the state: empty values, derived values,
 * outputs, data sources, and the provider host. If the schema versions differ, it compares only the id.
 */
function changesOfOthers(backup: Buffer, live: Buffer, own: OwnChanges): string[] {
  const [was, is] = [instancesOf(backup), instancesOf(live)];
  const changed = [...is].filter(([address, now]) => {
    const before = was.get(address) ?? [];
    return before.length !== now.length || before.some((one, at) => !isSameInstance(one, now[at]));
  });
  const missing = [...was.keys()].filter((address) => !is.has(address));
  return [
    ...changed.flatMap(([address]) => (own.present.has(address) ? [] : address)),
    ...missing.filter((address) => !own.gone.has(address)),
  ];
}

/** Whether two states track the same resources, for any versions of Terraform and the provider. */
export function isSameState(one: Buffer, other: Buffer): boolean {
  return changesOfOthers(one, other, { gone: new Set(), present: new Set() }).length === 0;
}

/** Whether two states have the same outputs and resources, in the same order. */
function hasSameContent(one: Buffer, other: Buffer): boolean {
  const [first, second] = [one, other].map((bytes) => {
    const { outputs = {}, resources = [] } = parseStateJson(bytes);
    return JSON.stringify([outputs, resources]);
  });
  return first === second;
}

/** An empty backend has an empty state. */
const parseStateJson = (bytes: Buffer): JsonObject =>
  objectOf(parseJson(bytes.toString('utf8') || '{}'));

/** Maps each address to its managed instances, deposed objects included. */
function instancesOf(bytes: Buffer): Map<string, JsonObject[]> {
  const instances = new Map<string, JsonObject[]>();
  for (const resource of objectsOf(parseStateJson(bytes)['resources'])) {
    if (resource['mode'] === 'data') continue;
    const [module, type] = [textOf(resource['module']), textOf(resource['type'])];
    const provider = textOf(resource['provider']).replace(/\["[^"/]*\//, '["');
    for (const instance of objectsOf(resource['instances'])) {
      const key = instance['index_key'];
      const index = typeof key === 'string' || typeof key === 'number' ? key : undefined;
      const address = printAddress(module, 'managed', type, textOf(resource['name']), index);
      instances.set(address, [...(instances.get(address) ?? []), { ...instance, provider }]);
    }
  }
  return instances;
}

function isSameInstance(one: JsonObject, other: JsonObject = {}): boolean {
  const [was, is] = [objectOf(one['attributes']), objectOf(other['attributes'])];
  const isSameSchema = one['schema_version'] === other['schema_version'];
  return (
    ['provider', 'status', 'deposed'].every((key) => one[key] === other[key]) &&
    (isSameSchema ? agrees(was, is) : was['id'] === is['id'])
  );
}

/** Compares two values; in objects, only the keys that both have. */
function agrees(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (isJsonArray(one) && isJsonArray(other)) {
    return one.length === other.length && one.every((item, at) => agrees(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    return Object.keys(one).every(
      (key) => !Object.hasOwn(other, key) || agrees(one[key], other[key]),
    );
  }
  return one === other;
}

/** Whether a value is null, an empty string, or contains only such values. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.every(isEmpty);
  if (isJsonObject(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '';
}
