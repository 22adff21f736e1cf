import { SCORING_RULE } from '../../model/ruleset';
import { FACT_BITS, sideBit } from '../event-bits';
import { OLD_SCORE_RULE, RANKS } from '../event-words';
import { type Intended } from '../intended';
import { bitAnd, type Dialect } from './dialect';
import { ACTION_CODES, actionCode, SOURCE_CODES, sourceCode } from './word-codes';

/** Read of events of the two WAFs only: without those of other products, an engine keeps half as much text. */
const EVENT_TEXTS = ['ray', 'rule_id', 'client', 'host', 'method', 'path', 'query_string', 'seen'];

/** Each event: its request, what it says in bits (event-bits.ts), and what the answers need. */
export function eventStage(dialect: Dialect, source: string, intended: Intended): string {
  return `SELECT ${dialect.requestKey('sided.ray')} AS request, ${bits()} AS bits,
  ${EVENT_TEXTS.map((name) => `CASE WHEN side <> ${SOURCE_CODES.other} THEN ${name} END AS ${name}`).join(', ')}
FROM (
  SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval, action_code, blank,
    ${sideOf(dialect)} AS side,
    ${intentOf(dialect, intended)} AS intent
  FROM (
    SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval,
      ${sourceCode(dialect, 'source_word')} AS source_code,
      ${actionCode(dialect, 'action_word')} AS action_code,
      CASE WHEN ray IS NULL AND action_word IS NULL AND source_word IS NULL AND rule_id IS NULL THEN ${FACT_BITS.blank} ELSE 0 END AS blank
    FROM ${source}
  ) coded
) sided`;
}

/** The lowest bit of the side. */
function sideOf({ text }: Dialect): string {
  return `CASE WHEN source_code = ${SOURCE_CODES.other} THEN ${SOURCE_CODES.other}
      WHEN source_code = ${SOURCE_CODES.new} THEN CASE WHEN rule_id = ${text(SCORING_RULE)} THEN ${sideBit('newScore')} ELSE ${SOURCE_CODES.new} END
      WHEN rule_id = ${text(OLD_SCORE_RULE)} THEN ${sideBit('oldScore')} ELSE ${SOURCE_CODES.old} END`;
}

/** The bit of the action's rank; a log of the new WAF counts as what its rule is meant to do, where that was given. */
function intentOf({ text }: Dialect, { fallback, rules }: Intended): string {
  const rank = bitAnd('action_code', String(ACTION_CODES.ranks));
  const groups = [RANKS.none, RANKS.log, RANKS.challenge, RANKS.block].flatMap((meant) => {
    const ids = [...rules].flatMap(([id, value]) => (value === meant ? [text(id)] : []));
    return ids.length === 0 || meant === fallback
      ? []
      : [`WHEN rule_id IN (${ids.join(', ')}) THEN ${1 << meant}`];
  });
  if (fallback === RANKS.log && groups.length === 0) return rank;
  const otherwise = String(1 << fallback);
  const meant = groups.length === 0 ? otherwise : `CASE ${groups.join(' ')} ELSE ${otherwise} END`;
  const isLog = `${bitAnd('action_code', String(ACTION_CODES.log))} > 0`;
  return `CASE WHEN source_code = ${SOURCE_CODES.new} AND ${isLog} THEN ${meant} ELSE ${rank} END`;
}

/** Almost all events are whole, known and have a Ray ID: the others are looked at once more. */
function bits(): string {
  const stops = `${bitAnd('action_code', String(ACTION_CODES.stops))} > 0`;
  const isNew = `(side = ${sideBit('new')} OR side = ${sideBit('newScore')})`;
  const isWhole = `(sample_interval IS NULL OR sample_interval IN ('', '0', '1'))`;
  const isKnown = `action_code < ${ACTION_CODES.unknown}`;
  return `(side * intent
    + CASE WHEN ${stops} AND side = ${sideBit('other')} THEN ${FACT_BITS.otherStopped} WHEN ${stops} AND ${isNew} THEN ${FACT_BITS.newStopped} ELSE 0 END
    + CASE WHEN sided.ray <> '' AND ${isKnown} AND ${isWhole} THEN 0 ELSE blank
      + CASE WHEN ${isWhole} OR blank > 0 THEN 0 ELSE ${FACT_BITS.sampled} END
      + CASE WHEN ${isKnown} THEN 0 ELSE ${FACT_BITS.unknownAction} END
      + CASE WHEN sided.ray <> '' THEN 0 ELSE ${FACT_BITS.withoutRay} END END)`;
}
