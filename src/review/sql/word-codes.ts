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

/** A source as a small integer. */
export const SOURCE_CODES = { old: 0, new: 1, other: 2 } as const;

/** An action as a small integer: the rank, and above it what is known of the word. */
export const ACTION_CODES = {
  stops: 4,
  log: 8,
  unknown: 16,
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
  const odd = caseOf(dialect, normalised(dialect, column), known, String(ACTION_CODES.unknown));
  return caseOf(dialect, column, known, odd);
}

type Word = readonly [word: string, code: number];

function wordsOf(name: keyof typeof ACTIONS, rank: Rank): Word[] {
  return ACTIONS[name].map((word) => {
    const stops = rank >= RANKS.challenge && !PASSED.includes(word);
    return [
      word,
      rank + (stops ? ACTION_CODES.stops : 0) + (name === 'log' ? ACTION_CODES.log : 0),
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
