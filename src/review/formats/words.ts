import { wrapLines } from '../../core/finding';
import { printable } from '../../core/printable';
import { type Effect } from '../baseline';
import { type Change, type Comparison } from '../comparison';
import { type ProposedChange } from '../propose/apply-changes';
import { type Proposal } from '../propose/proposal';
import { type Outcome, OUTCOMES } from '../query/events';

const outcomeWords: Readonly<Record<Outcome, string>> = {
  'both-act': 'both act alike',
  'both-log': 'both log',
  'only-legacy': 'only the legacy WAF acts',
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

/** The outcomes that requests had: in words, with their count and their share as a percentage. */
export const outcomeCounts = ({ classes, requests }: Comparison) =>
  OUTCOMES.filter((outcome) => classes[outcome] > 0).map((outcome) => ({
    words: outcomeWords[outcome],
    count: classes[outcome],
    share: percent(classes[outcome] / Math.max(requests, 1)),
  }));

/** The hours of the time line whose time is known, with all of their requests; none if it is too short to show. */
export function knownHours({ timeline }: Comparison) {
  const hours = timeline
    .filter(({ hour }) => hour !== '')
    .map(({ hour, outcomes }) => ({
      hour,
      outcomes,
      total: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    }));
  return hours.length < 2 ? [] : hours;
}

/** A share as a percentage with at most two digits after the point. */
export const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;

/** `1 client`, `2,000 clients`. */
export const plural = (count: number, what: string): string =>
  `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;

/** From when until when; one time if both are the same. */
export const span = (first: string, last: string): string =>
  first === last ? first : `${first} to ${last}`;

/** A count with its groups of three. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** A line as several if it is too long, those that follow further in than the first. */
export function folded(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return wrapLines(line.slice(indent.length), indent, `${indent}    `);
}

/** What is proposed, one line each and its reason below it; the file has the evidence. */
export function proposalLines({ changes, notProposed, promise }: Proposal): string[] {
  const { newlyBlocked, noLongerBlocked } = promise;
  return [
    `Proposed: ${plural(changes.length, 'change')}.`,
    ...changes.flatMap((change) => [
      `  ${printable(describe(change), 300)}`,
      `    ${plural(change.evidence.requests, 'request')} of ${plural(change.evidence.clients, 'client')}: ${printable(change.why, 200)}`,
    ]),
    ...notProposed.map(
      ({ ruleId, requests, why }) =>
        `  nothing for ${printable(ruleId, 40)} (${plural(requests, 'request')}): ${printable(why, 200)}`,
    ),
    `  Promise: newly blocked ${grouped(newlyBlocked.before)} → ${grouped(newlyBlocked.after)}, no longer blocked ${grouped(noLongerBlocked.before)} → at most ${grouped(noLongerBlocked.after)}`,
  ];
}

function describe(change: ProposedChange): string {
  switch (change.kind) {
    case 'log':
      return `log       ${change.ruleId} only logs`;
    case 'enable':
      return `enable    ${change.ruleId} does ${change.action}`;
    case 'skip':
      return `exception ${change.ruleId} not for ${change.expression}`;
    case 'custom':
      return `own rule  ${change.action}${change.enabled ? '' : ', disabled,'} for ${change.expression}`;
  }
}

/** What changed since the baseline. */
export function effectLines({ classes, promise }: Effect): string[] {
  const kept = (is: boolean): string => (is ? 'kept' : 'not kept');
  return [
    'Since the baseline:',
    ...OUTCOMES.flatMap((outcome) => {
      const moved = classes[outcome];
      if (moved === undefined) return [];
      return [
        `  ${outcomeWords[outcome]}: ${grouped(moved.before)} (${percent(moved.shareBefore)}) → ${grouped(moved.after)} (${percent(moved.shareAfter)})`,
      ];
    }),
    ...(promise === undefined
      ? []
      : [
          `  newly blocked: promised ${percent(promise.newlyBlocked.promised)}, seen ${percent(promise.newlyBlocked.actual)}: ${kept(promise.newlyBlocked.kept)}`,
          `  no longer blocked: promised at most ${percent(promise.noLongerBlocked.promised)}, seen ${percent(promise.noLongerBlocked.actual)}: ${kept(promise.noLongerBlocked.kept)}`,
        ]),
  ];
}
