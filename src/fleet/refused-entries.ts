import { type BeginEntry, type LedgerEntry, type RefusedText } from './ledger-entry';
import { type RefusedEntry } from './resolve-zones';

/** An entry of the list of a stage that was no zone of it. */
export interface StageRefusal extends RefusedText {
  readonly stage: string;
}

/** What is written of an entry that is no zone of a run. */
export function describeRefused({ line, text, error }: RefusedEntry): RefusedText {
  const { code, message, hint } = error;
  return { line, text, error: { code, message, hint } };
}

/** The refused entries of the list of the last run of each stage. Pure. */
export function refusedEntries(entries: readonly LedgerEntry[]): StageRefusal[] {
  const last = new Map<string, BeginEntry>();
  for (const entry of entries) if (entry.event === 'begin') last.set(entry.stage, entry);
  return [...last.values()].flatMap(({ stage, refused = [] }) =>
    refused.map((one) => ({ stage, ...one })),
  );
}
