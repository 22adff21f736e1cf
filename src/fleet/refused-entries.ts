import { compareTexts } from '../model/compare-texts';
import { lastLists } from './last-lists';
import { type LedgerEntry, type RefusedText } from './ledger-entry';
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

/** What the lists of the last run of each stage hold that is no zone of it, each once: nobody has done it. Pure. */
export function refusedEntries(entries: readonly LedgerEntry[]): StageRefusal[] {
  const lists = lastLists(entries);
  const last = new Map<string, string>();
  for (const { stage, request } of lists.toSorted((one, other) => compareTexts(one.at, other.at))) {
    last.set(stage, request);
  }
  const ofLast = lists.filter(({ stage, request }) => last.get(stage) === request);
  return once(
    ofLast.flatMap(({ stage, refused = [] }) => refused.map((one) => ({ stage, ...one }))),
  );
}

/** The parts of one list are refused the same entries. */
export function once<Refusal extends RefusedText>(refused: readonly Refusal[]): Refusal[] {
  return [...new Map(refused.map((one) => [JSON.stringify(one), one])).values()];
}
