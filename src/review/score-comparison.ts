import { type ScoreComparison } from './comparison';
import { FACT_BITS, strongest } from './event-bits';
import { UNDECIDABLE } from './outcome';
import { type ResultRow } from './result-row';

/**
 * Where the score rule of a side has an event that is more than `allow`. Its silence counts only where
 * no other rule of its side ended the request before the score was looked at.
 */
export function compareScores(rows: readonly ResultRow[]): ScoreComparison {
  const having = (matches: (bits: number) => boolean): number =>
    total(
      rows.filter(
        ({ verdict, outcome }) => matches(verdict) && !UNDECIDABLE.some((one) => one === outcome),
      ),
    );
  const old = (bits: number): boolean => strongest(bits, 'oldScore') > 0;
  const fresh = (bits: number): boolean => strongest(bits, 'newScore') > 0;
  return {
    both: having((bits) => old(bits) && fresh(bits)),
    onlyOld: having((bits) => old(bits) && !fresh(bits) && (bits & FACT_BITS.newStopped) === 0),
    onlyNew: having((bits) => !old(bits) && fresh(bits) && strongest(bits, 'old') < 2),
  };
}

const total = (rows: readonly ResultRow[]): number =>
  rows.reduce((sum, { requests }) => sum + requests, 0);
