import { type FileEdit } from '../tfconfig/plan-edit';
import { type Finding } from '../core/finding';
import { createHash } from 'node:crypto';

/** A migration plan: plain JSON, the contract of docs/plan-format.md. */
export interface Plan {
  readonly format: 'cf-waf-migrate/plan';
  readonly formatVersion: 1;
  /** Sha256 of the plan without this field: a plan that was edited by hand is refused. */
  readonly digest: string;
  readonly zones: readonly PlanZone[];
  readonly states: readonly PlanState[];
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
}

/** A zone of the plan and the entry point ruleset that stands in for its old resources. */
export interface PlanZone {
  readonly zoneId: string;
  readonly ruleset: {
    readonly id: string;
    readonly address: string;
    readonly importId: string;
    /** Name of the state that will own the ruleset. */
    readonly state: string;
  };
}

/** A Terraform state that the plan changes, as it was when the plan was made. */
export interface PlanState {
  readonly name: string;
  /** Folder of its configuration, relative to the folder of the plan. */
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR` as it was, where it was set. */
  readonly dataDir?: string;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly provider: { readonly from: string; readonly to: string };
  readonly method: Method;
  /** The facts by which the order of the steps was chosen. */
  readonly because: string;
}

/** How the state is changed: by subcommands of Terraform, or by blocks in the configuration. */
export type Method = 'commands' | 'blocks';

/** What a step does; see docs/plan-format.md. */
export type StepKind =
  | 'backup'
  | 'edit'
  | 'import'
  | 'remove-dry-run'
  | 'remove'
  | 'apply-blocks'
  | 'upgrade-provider'
  | 'check'
  | 'manual';

/** One step; only the fields that its kind needs are there. */
export interface Step {
  readonly id: string;
  readonly kind: StepKind;
  readonly state: string;
  /** Of an edit of files that several states share: all of them, each of which has to let go first. */
  readonly states?: readonly string[];
  readonly title: string;
  readonly why: string;
  readonly runs?: readonly Run[];
  readonly edits?: readonly FileEdit[];
  readonly addresses?: readonly string[];
  readonly importId?: string;
  /** What to add to a program, in TypeScript; of other configurations, a diff to make. */
  readonly code?: string;
  /** Version of the provider that the step installs. */
  readonly provider?: string;
  readonly expects?: Expects;
}

/** A command as an argument vector, never a shell string. */
export interface Run {
  readonly argv: readonly string[];
  /** File that receives the output: a state, so it is written with mode 0600. */
  readonly saveTo?: string;
}

/** What holds when the step is done: the one definition that apply, verify, resume and tests share. */
export interface Expects {
  /** Addresses that the state no longer has. */
  readonly gone?: readonly string[];
  /** Addresses that the state has. */
  readonly present?: readonly string[];
  readonly plan?: 'empty' | 'target-empty' | 'import-and-forget';
}

/** A step before it has its number. */
export type StepDraft = Omit<Step, 'id' | 'state' | 'states'>;

/** The plan with its digest behind the version, where a reader looks for it. */
export function withDigest(plan: Omit<Plan, 'digest'>): Plan {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  return { format, formatVersion, digest: digestOf(plan), zones, states, steps, findings };
}

/** Sha256, in hexadecimal, of the plan without its digest: of its JSON with sorted keys. */
export function digestOf(plan: { readonly [Field in keyof Plan]?: unknown }): string {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  const content = sorted({ format, formatVersion, zones, states, steps, findings });
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Objects that are the same are written the same, whoever built or reformatted them. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // long lists of addresses, as they are
  if (Array.isArray(value)) return value.every(isText) ? value : value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, sorted(one)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What holds of a state once every step of a plan is done. */
export interface Promised {
  readonly gone: readonly string[];
  readonly present: readonly string[];
  /**
   * Flags with which `terraform plan` then shows nothing: those of the last check; undefined where
   * no step checks.
   */
  readonly flags: readonly string[] | undefined;
}

/** The sum of what the steps of one state expect: a later step wins over an earlier one. */
export function promisedBy(steps: readonly Step[], state: string): Promised {
  const own = steps.filter((step) => step.state === state);
  const addresses = new Map<string, 'gone' | 'present'>();
  for (const { expects } of own) {
    for (const address of expects?.gone ?? []) addresses.set(address, 'gone');
    for (const address of expects?.present ?? []) addresses.set(address, 'present');
  }
  const named = (what: string): string[] =>
    [...addresses].filter(([, one]) => one === what).map(([address]) => address);
  return { gone: named('gone'), present: named('present'), flags: checkFlags(own) };
}

/** Those that say what and with which inputs is planned; how it ends is for who runs it. */
function checkFlags(steps: readonly Step[]): string[] | undefined {
  const last = steps.findLast(({ kind }) => kind === 'check')?.expects?.plan;
  if (last === undefined) return undefined;
  // the rulesets are checked one by one, where a full plan does not work
  const checks =
    last === 'empty'
      ? steps.filter(({ kind }) => kind === 'check').slice(-1)
      : steps.filter(({ expects }) => expects?.plan === last);
  const flags = checks.flatMap(({ runs = [] }) =>
    runs.flatMap(({ argv }) => argv.slice(argv.indexOf('plan') + 1)),
  );
  return [...new Set(flags)].filter((flag) => !/^-(input|detailed-exitcode|out)\b/.test(flag));
}

/** Journal and backups, below the folder of the plan; it can be on a disk of its own. */
export const BACKUP_FOLDER = 'cf-waf-migrate-backup';

/**
 * The file for a copy of a state. The workspaces of a folder go by one name, and often by one serial;
 * `.` is in no name of a state, and what a file name may not have in it is escaped.
 */
export function backupFile(
  { name, workspace }: Pick<PlanState, 'name' | 'workspace'>,
  serial: number,
  ending = 'tfstate',
): string {
  const own = workspace === 'default' || workspace === '' ? '' : `.${safe(workspace)}`;
  return `${BACKUP_FOLDER}/${name}${own}-${serial}.${ending}`;
}

/** Whether a path is that of a copy of a state: of no other folder, whoever has written it down. */
export function isBackupFile(path: string): boolean {
  const [folder, ...name] = path.split('/');
  return folder === BACKUP_FOLDER && /^[^./\\][^/\\]*\.tfstate$/.test(name.join('/'));
}

function safe(workspace: string): string {
  return encodeURIComponent(workspace.toWellFormed()).replaceAll('*', '%2A').slice(0, 120);
}

/** The folder of a file of a plan, as its states name theirs. */
export function folderOfFile(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
}
