import { wrapLines } from '../../core/render-findings';
import { type Change, type Outcome } from '../comparison';

/** The outcomes for a reader. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  'both-act': 'both act alike',
  'both-log': 'both log',
  'only-old': 'only the old WAF acts',
  'only-new': 'only the new WAF acts',
  stricter: 'the new WAF acts more strongly',
  laxer: 'the new WAF acts less strongly',
  hidden: 'undecidable: the new WAF ended the request first',
  'cut-short': 'undecidable: another rule ended the request in between',
  sampled: 'undecidable: sampled data',
  'stopped-before': 'stopped by another rule before both',
  neither: 'neither acts',
};

/** The changes for a reader, in the plural. */
export const changeWords: Readonly<Record<Change, string>> = {
  'newly-blocked': 'would be newly blocked',
  'newly-logged': 'would be newly logged',
  'no-longer-blocked': 'would no longer be blocked',
  'no-longer-logged': 'would no longer be logged',
  undecidable: 'undecidable',
};

/** A share as a percentage with at most two digits after the point. */
export const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;

/** `1 client`, `2,000 clients`. */
export const plural = (count: number, what: string): string =>
  `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;

/** From when until when; one time where both are the same, nothing where they are not known. */
export const span = (first: string, last: string): string =>
  first === last ? first : `${first} to ${last}`;

/** A count with its groups of three. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** A line as several where it is too long, those that follow further in than the first. */
export function folded(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return wrapLines(line.slice(indent.length), indent, `${indent}    `);
}
