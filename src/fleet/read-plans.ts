import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  currentPath,
  isRolledBack,
  isUnfinished,
  journalPath,
  lastEvent,
} from '../apply/journal/journal';
import { groupBy } from '../core/lists';
import { attempt, MigrationError, reading } from '../core/migration-error';
import { printable } from '../core/printable';
import { followLinks } from '../files/paths';
import { textOfFile } from '../files/read-files';
import { isPlanText } from '../plan/formats/plan-formats';
import { readSavedPlan } from '../plan/parse-saved-plan';
import { type SavedPlan } from './group-zones';
import { type LedgerEntry, readResult, type ResultFields, type ZoneOutcomeKind } from './ledger';
import { isOutOfDate, unfinishedApplies } from './standings';
import { type StageStanding } from './zone-results';

/** Ending of the plans of a folder. */
export const PLAN_ENDING = '.plan.json';

const NO_FOLDER = 'name the folder of the plans, which `plan --zones <file> --out <dir>` made';

/** Reads the plans that the user named: one file, or all of a folder. None is started if one is invalid. */
export async function readPlans(operand: string, cwd: string): Promise<SavedPlan[]> {
  const path = resolve(cwd, operand);
  const files = planFiles(path);
  if (files.length === 0) {
    if (operand === '') throw new MigrationError('USAGE', NO_FOLDER);
    const message = `there is no plan in ${printable(operand)}`;
    throw new MigrationError('FILE_UNREADABLE', message, {
      hint: 'make them:\ncf-waf-migrate plan --zones <file> --out <dir>',
    });
  }
  const plans: SavedPlan[] = [];
  for (const file of files) plans.push(await readPlan(file, cwd));
  return plans;
}

function planFiles(path: string): string[] {
  return reading(`cannot read ${printable(path)}`, () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (!found.isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith('.json'));
    const files = names.sort().map((name) => join(path, name));
    // an invalid plan of `plan --zones` is an error, another JSON file is none
    return files.filter((file) => file.endsWith(PLAN_ENDING) || isPlanText(textOfFile(file)));
  });
}

async function readPlan(path: string, cwd: string): Promise<SavedPlan> {
  const file = relative(cwd, path);
  const folder = dirname(path);
  const plan = await readSavedPlan(path).catch((error: unknown) => {
    throw error instanceof MigrationError ? error.withPrefix(printable(file)) : error;
  });
  const edited = plan.steps
    .flatMap(({ edits = [] }) => edits)
    .filter(({ remove }) => remove.length > 0);
  return {
    plan,
    folder,
    place: relative(cwd, folder),
    file,
    places: await Promise.all(
      plan.states.map(
        async ({ dir, workspace }) => `${await followLinks(resolve(folder, dir))} (${workspace})`,
      ),
    ),
    edited: await Promise.all(edited.map((one) => followLinks(resolve(folder, one.file)))),
  };
}

/**
 * The lines of a ledger with what single plans changed since, whose runs are in no ledger: without the runs from before a
 * rollback, and the interrupted or waiting runs that ended later, and with the plans that were applied.
 */
export function currentEntries(entries: readonly LedgerEntry[], cwd: string): LedgerEntry[] {
  const planned = new Map(
    entries.flatMap((one) =>
      one.event === 'zone' && readResult(one).digest !== '' ? [[one.zone, one] as const] : [],
    ),
  );
  const changes = new Map(
    [...planned].map(([zone, entry]) => [zone, lastChange(readResult(entry), cwd)]),
  );
  const current = entries.filter(
    (one) => !('zone' in one) || !isReplaced(one, changes.get(one.zone)),
  );
  const runs = current.flatMap((one) => ('zone' in one && one.stage === 'apply' ? one : []));
  const applies = groupBy(runs, ({ zone }) => zone);
  const applied = [...planned.values()].flatMap((entry): LedgerEntry[] => {
    const change = changes.get(entry.zone);
    if (change?.event !== 'end') return [];
    const { at } = change;
    const { digest } = readResult(entry);
    const isRecorded = applies
      .get(entry.zone)
      ?.some((run) => run.at > at || (run.event === 'zone' && readResult(run).digest === digest));
    if (isRecorded === true) return [];
    return [{ ...entry, at, stage: 'apply', outcome: 'done', line: 'applied without its list' }];
  });
  return [...current, ...applied];
}

type RunEntry = Extract<LedgerEntry, { readonly zone: string }>;

/** Whether the journal of the plan has a later rollback or end, so that a line of the ledger no longer counts. */
function isReplaced(entry: RunEntry, change: ReturnType<typeof lastChange>): boolean {
  if (change === undefined || entry.at > change.at) return false;
  if (change.event === 'rollback') return entry.stage === 'apply' || entry.stage === 'verify';
  return entry.stage === 'apply' && !(entry.event === 'zone' && entry.outcome === 'done');
}

/**
 * The last `apply` of each zone that can be resumed: its journal is here and not finished, and it needs no new plan.
 * @param anyway outcomes that also count without its journal
 */
export const openApplies = (
  current: readonly LedgerEntry[],
  cwd: string,
  anyway: readonly ZoneOutcomeKind[] = ['unknown', 'attention'],
) =>
  unfinishedApplies(
    current,
    (apply, plan) => anyway.includes(apply.outcome) || canResume(apply, plan, cwd),
  );

const canResume = (apply: StageStanding, plan: ResultFields, cwd: string): boolean =>
  !isOutOfDate(apply) && attempt(() => isUnfinished(journalOf(plan, cwd))) === true;

/** When the plan of a result in the ledger was rolled back, or its rollback began; undefined if there was none. */
export function undoneAt(result: ResultFields, cwd: string): string | undefined {
  const { event, at } = lastChange(result, cwd) ?? {};
  return event === 'rollback' ? at : undefined;
}

/** The last line of a plan's journal, and when it was written, if it is the end of a run or a rollback. */
function lastChange(result: ResultFields, cwd: string) {
  const journal = journalOf(result, cwd);
  const event = isRolledBack(journal) ? 'rollback' : attempt(() => lastEvent(journal));
  if (event !== 'rollback' && event !== 'end') return undefined;
  return { event, at: statSync(currentPath(journal)).mtime.toISOString() };
}

const journalOf = ({ plan, digest }: ResultFields, cwd: string): string =>
  join(dirname(resolve(cwd, plan)), journalPath(digest));
