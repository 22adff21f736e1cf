import { FACT_BITS, SIDES } from '../event-bits';
import {
  ACTIONS,
  NEW_SCORE_RULE,
  NEW_SOURCE,
  OLD_SCORE_RULE,
  OLD_SOURCE,
  PASSED,
  RANKS,
} from '../event-words';
import { type Intended } from '../intended';
import { type Dialect } from './dialect';

/**
 * Each event: its request, what it says in bits (event-bits.ts), and for events of the two WAFs what
 * the answers need. Sources and actions are normalised only where they are not in the usual form:
 * almost all are.
 */
export function eventStage(dialect: Dialect, source: string, intended: Intended): string {
  return `SELECT ray, ${bits(dialect)} AS bits, rule_id, intent,
  CASE WHEN side <> 2 THEN client END AS client, CASE WHEN side <> 2 THEN host END AS host,
  CASE WHEN side <> 2 THEN method END AS method, CASE WHEN side <> 2 THEN path END AS path,
  CASE WHEN side <> 2 THEN query_string END AS query_string,
  CASE WHEN side <> 2 THEN seen END AS seen
FROM (
  SELECT *, ${sideOf(dialect)} AS side,
    ${rankOf(dialect, intended)} AS intent
  FROM (
    SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval,
      ${normalised(dialect, 'source_word', [OLD_SOURCE, NEW_SOURCE])} AS source_word,
      ${normalised(dialect, 'action_word', Object.values(ACTIONS).flat())} AS action_word
    FROM ${source}
  ) words
) sided`;
}

function normalised({ text }: Dialect, column: string, usual: readonly string[]): string {
  const list = usual.map(text).join(', ');
  const plain = ['_', '-', ' '].reduce(
    (inner, mark) => `replace(${inner}, ${text(mark)}, '')`,
    `lower(${column})`,
  );
  return `CASE WHEN ${column} IN (${list}) THEN ${column} ELSE ${plain} END`;
}

function sideOf({ text }: Dialect): string {
  const score = (rule: string, yes: number, no: number): string =>
    `CASE WHEN rule_id = ${text(rule)} THEN ${yes} ELSE ${no} END`;
  return `CASE source_word WHEN ${text(OLD_SOURCE)} THEN ${score(OLD_SCORE_RULE, SIDES.oldScore, SIDES.old)}
      WHEN ${text(NEW_SOURCE)} THEN ${score(NEW_SCORE_RULE, SIDES.newScore, SIDES.new)} ELSE ${SIDES.other} END`;
}

/** A log of the new WAF counts as what its rule is meant to do, where that was given. */
function rankOf({ text }: Dialect, { fallback, rules }: Intended): string {
  const list = (words: readonly string[]): string => words.map(text).join(', ');
  const byRank = [RANKS.none, RANKS.log, RANKS.challenge, RANKS.block].flatMap((rank) => {
    const ids = [...rules].flatMap(([id, meant]) => (meant === rank ? [id] : []));
    return ids.length === 0 || rank === fallback
      ? []
      : [`WHEN rule_id IN (${list(ids)}) THEN ${rank}`];
  });
  const isNew = `source_word = ${text(NEW_SOURCE)}`;
  const log =
    fallback === RANKS.log && byRank.length === 0
      ? `${RANKS.log}`
      : `CASE WHEN ${isNew} THEN ${byRank.length === 0 ? fallback : `CASE ${byRank.join(' ')} ELSE ${fallback} END`} ELSE ${RANKS.log} END`;
  return `CASE WHEN action_word IN (${list(ACTIONS.log)}) THEN ${log}
      WHEN action_word IN (${list(ACTIONS.block)}) THEN ${RANKS.block}
      WHEN action_word IN (${list(ACTIONS.challenge)}) THEN ${RANKS.challenge} ELSE ${RANKS.none} END`;
}

function bits({ text }: Dialect): string {
  const sides = Object.values(SIDES).map((side) => `WHEN ${side} THEN ${1 << (side * 4)}`);
  const list = (words: readonly string[]): string => words.map(text).join(', ');
  const stopping = [...ACTIONS.block, ...ACTIONS.challenge].filter((one) => !PASSED.includes(one));
  const known = Object.values(ACTIONS).flat();
  return `(CASE side ${sides.join(' ')} END * CASE intent WHEN 0 THEN 1 WHEN 1 THEN 2 WHEN 2 THEN 4 ELSE 8 END
    + CASE WHEN action_word IN (${list(stopping)}) THEN CASE side WHEN ${SIDES.new} THEN ${FACT_BITS.newStopped} WHEN ${SIDES.newScore} THEN ${FACT_BITS.newStopped}
        WHEN ${SIDES.other} THEN ${FACT_BITS.otherStopped} ELSE 0 END ELSE 0 END
    + CASE WHEN sample_interval IS NULL OR sample_interval IN ('', '0', '1') THEN 0 ELSE ${FACT_BITS.sampled} END
    + CASE WHEN action_word IN (${list(known)}) THEN 0 ELSE ${FACT_BITS.unknownAction} END
    + CASE WHEN action_word IS NULL AND source_word IS NULL AND ray IS NULL AND rule_id IS NULL THEN ${FACT_BITS.blank} ELSE 0 END)`;
}
