import { sideBit } from '../event-bits';
import {
  ACTIONS,
  NEW_SOURCE,
  OLD_SOURCE,
  OTHER_SOURCES,
  PASSED,
  type Rank,
  RANKS,
} from '../event-words';
import { type Dialect } from './dialect';

/** A source as the lowest bit of its side. */
export const SOURCE_CODES = {
  old: sideBit('old'),
  new: sideBit('new'),
  other: sideBit('other'),
} as const;

/** The bits of an action: the lowest four have one of the rank, above is what is known of the word. */
export const ACTION_CODES = {
  ranks: 15,
  stops: 16,
  log: 32,
  unknown: 64,
} as const;

/**
 * A word as an integer. Words in their usual form, almost all, are compared as they are, the most
 * frequent first; only what is left is normalised and compared once more.
 */
export function sourceCode(dialect: Dialect, column: string): string {
  const known: Word[] = [
    [NEW_SOURCE, SOURCE_CODES.new],
    [OLD_SOURCE, SOURCE_CODES.old],
  ];
  const others = OTHER_SOURCES.map((word): Word => [word, SOURCE_CODES.other]);
  const odd = caseOf(dialect, normalised(dialect, column), known, String(SOURCE_CODES.other));
  return caseOf(dialect, column, [...known, ...others], odd);
}

/** As {@link sourceCode}, for actions: `ACTION_CODES.unknown` for a word that is not known. */
export function actionCode(dialect: Dialect, column: string): string {
  const known = [
    ...wordsOf('block', RANKS.block),
    ...wordsOf('log', RANKS.log),
    ...wordsOf('challenge', RANKS.challenge),
    ...wordsOf('none', RANKS.none),
  ];
  const odd = caseOf(
    dialect,
    normalised(dialect, column),
    known,
    String(ACTION_CODES.unknown + (1 << RANKS.none)),
  );
  return caseOf(dialect, column, known, odd);
}

type Word = readonly [word: string, code: number];

function wordsOf(name: keyof typeof ACTIONS, rank: Rank): Word[] {
  return ACTIONS[name].map((word) => {
    const stops = rank >= RANKS.challenge && !PASSED.includes(word);
    return [
      word,
      (1 << rank) + (stops ? ACTION_CODES.stops : 0) + (name === 'log' ? ACTION_CODES.log : 0),
    ];
  });
}

function caseOf(
  { text }: Dialect,
  value: string,
  words: readonly Word[],
  otherwise: string,
): string {
  const whens = words.map(([word, code]) => `WHEN ${value} = ${text(word)} THEN ${code}`);
  return `CASE ${whens.join(' ')} ELSE ${otherwise} END`;
}

function normalised({ text }: Dialect, column: string): string {
  return ['_', '-', ' '].reduce(
    (inner, mark) => `replace(${inner}, ${text(mark)}, '')`,
    `lower(${column})`,
  );
}
