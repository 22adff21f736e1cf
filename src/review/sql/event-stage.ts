import { SCORING_RULE } from '../../core/ruleset';
import {
  ACTIONS,
  FACT_BITS,
  NEW_SOURCE,
  OLD_SCORE_RULE,
  OLD_SOURCE,
  PASSED,
  type Rank,
  RANKS,
  sideBit,
} from '../events';
import { type Intended } from '../intended-actions';
import { bitAnd, type Dialect } from './dialect';

/** A source as the lowest bit of its side. */
const SOURCE_CODES = {
  old: sideBit('old'),
  new: sideBit('new'),
  other: sideBit('other'),
} as const;

/** The bits of an action: the lowest four are the rank, the others say what is known of the word. */
const ACTION_CODES = { ranks: 15, stops: 16, log: 32, unknown: 64 } as const;

/** Read of events of the two WAFs only: without those of other products, an engine keeps half as much text. */
const EVENT_TEXTS = ['ray', 'rule_id', 'client', 'host', 'method', 'path', 'query_string', 'seen'];

/** Each event: its request, what it says in bits (events.ts), and what the answers need. */
export function eventStage(dialect: Dialect, source: string, intended: Intended): string {
  return `SELECT ${dialect.requestKey('sided.ray')} AS request, ${bits()} AS bits,
  ${EVENT_TEXTS.map((name) => `CASE WHEN side <> ${SOURCE_CODES.other} THEN ${name} END AS ${name}`).join(', ')}
FROM (
  SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval, action_code, blank,
    ${sideOf(dialect)} AS side,
    ${intentOf(dialect, intended)} AS intent
  FROM (
    SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval,
      ${sourceCode(dialect)} AS source_code,
      ${actionCode(dialect)} AS action_code,
      CASE WHEN ray IS NULL AND action_word IS NULL AND source_word IS NULL AND rule_id IS NULL THEN ${FACT_BITS.blank} ELSE 0 END AS blank
    FROM ${source}
  ) coded
) sided`;
}

function sourceCode(dialect: Dialect): string {
  const known: Word[] = [
    [NEW_SOURCE, SOURCE_CODES.new],
    [OLD_SOURCE, SOURCE_CODES.old],
  ];
  return codeOf(dialect, 'source_word', known, SOURCE_CODES.other);
}

function actionCode(dialect: Dialect): string {
  const wordsOf = (name: keyof typeof ACTIONS, rank: Rank): Word[] =>
    ACTIONS[name].map((word) => {
      const stops = rank >= RANKS.challenge && !PASSED.includes(word) ? ACTION_CODES.stops : 0;
      return [word, (1 << rank) + stops + (name === 'log' ? ACTION_CODES.log : 0)];
    });
  const known = [
    ...wordsOf('block', RANKS.block),
    ...wordsOf('log', RANKS.log),
    ...wordsOf('challenge', RANKS.challenge),
    ...wordsOf('none', RANKS.none),
  ];
  return codeOf(dialect, 'action_word', known, ACTION_CODES.unknown + (1 << RANKS.none));
}

type Word = readonly [word: string, code: number];

/** A word as an integer. Only a word that is not in its usual form is normalised: that costs most. */
function codeOf({ text }: Dialect, column: string, known: readonly Word[], other: number): string {
  const whens = known.map(([word, code]) => `WHEN ${text(word)} THEN ${code}`).join(' ');
  return `CASE ${column} ${whens} ELSE CASE translate(lower(${column}), '_- ', '') ${whens} ELSE ${other} END END`;
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

function bits(): string {
  const stops = `${bitAnd('action_code', String(ACTION_CODES.stops))} > 0`;
  const isNew = `(side = ${sideBit('new')} OR side = ${sideBit('newScore')})`;
  const isSampled = `sample_interval NOT IN ('', '0', '1')`;
  return `(side * intent + blank
    + CASE WHEN ${stops} AND side = ${sideBit('other')} THEN ${FACT_BITS.otherStopped} WHEN ${stops} AND ${isNew} THEN ${FACT_BITS.newStopped} ELSE 0 END
    + CASE WHEN ${isSampled} AND blank = 0 THEN ${FACT_BITS.sampled} ELSE 0 END
    + CASE WHEN action_code >= ${ACTION_CODES.unknown} THEN ${FACT_BITS.unknownAction} ELSE 0 END
    + CASE WHEN sided.ray <> '' THEN 0 ELSE ${FACT_BITS.withoutRay} END)`;
}
