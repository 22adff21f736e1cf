import { FACT_BITS, type Side, verdictBit } from '../event-bits';
import { EXAMINED, type Outcome } from '../outcome';
import { bitAnd, type Dialect } from './dialect';

/** One row per request: what all of its events say. Events without a Ray ID belong to none. */
export function requestStage(): string {
  const { withoutRay } = FACT_BITS;
  return `SELECT e.request AS request, bit_or(e.bits) AS bits FROM events e
WHERE ${bitAnd('e.bits', String(withoutRay))} = 0 GROUP BY e.request`;
}

/** One row per combination of verdicts, of which there are few: its outcome is decided once. */
export function outcomeStage({ text }: Dialect): string {
  const has = (bits: number): string => `${bitAnd('bits', String(bits))} > 0`;
  const rank = (...sides: readonly Side[]): string => {
    const any = (value: number): string =>
      has(sides.reduce((sum, side) => sum | verdictBit(side, value), 0));
    return `CASE WHEN ${any(3)} THEN 3 WHEN ${any(2)} THEN 2 WHEN ${any(1)} THEN 1 ELSE 0 END`;
  };
  return `SELECT bits, requests,
  CASE ${cases.map(([when, outcome]) => `WHEN ${when(has)} THEN ${text(outcome)}`).join('\n    ')}
    ELSE ${text('laxer')} END AS outcome
FROM (
  SELECT bits, requests, ${rank('old', 'oldScore')} AS old_rank, ${rank('new', 'newScore')} AS new_rank
  FROM (SELECT bits, COUNT(*) AS requests FROM requests GROUP BY bits) counted
) ranked`;
}

/** The requests that are looked at one by one: mostly few. */
export const examinedStage = ({ text }: Dialect): string =>
  `SELECT r.request AS request, o.outcome AS outcome FROM requests r JOIN outcomes o ON o.bits = r.bits
WHERE o.outcome IN (${EXAMINED.map(text).join(', ')})`;

type Has = (bits: number) => string;

/** The first that holds decides. */
const cases: readonly (readonly [(has: Has) => string, Outcome])[] = [
  [(has) => `old_rank = 0 AND new_rank = 0 AND ${has(FACT_BITS.otherStopped)}`, 'stopped-before'],
  [() => 'old_rank = 0 AND new_rank = 0', 'neither'],
  // The new WAF runs first (spec: validation mode): what it ends, the old one never sees.
  [(has) => `old_rank = 0 AND ${has(FACT_BITS.newStopped)}`, 'hidden'],
  [(has) => `old_rank = 0 AND ${has(FACT_BITS.otherStopped)}`, 'cut-short'],
  // In sampled data an absence says nothing.
  [(has) => `(old_rank = 0 OR new_rank = 0) AND ${has(FACT_BITS.sampled)}`, 'sampled'],
  [() => 'old_rank = 0', 'only-new'],
  [() => 'new_rank = 0', 'only-old'],
  [() => 'old_rank = 1 AND new_rank = 1', 'both-log'],
  [() => 'old_rank = new_rank', 'both-act'],
  [() => 'new_rank > old_rank', 'stricter'],
];
