import { wrapLines } from '../../core/finding';
import { groupBy } from '../../core/lists';
import { counted, grouped, printable } from '../../core/printable';
import { type BarPart, type Look } from '../../html/components';
import { type Change, type Comparison, type Impact, type RuleAnswer } from '../comparison';
import { type Effect, type Review } from '../make-review';
import { type Proposal, type ProposedChange } from '../proposal';
import { type Outcome, OUTCOMES } from '../query/events';

/** How each outcome is shown: in words, and in a chart. */
const OUTCOME_LOOKS: Readonly<
  Record<Outcome, Omit<BarPart, 'count'> & { readonly words: string }>
> = {
  'both-act': { tone: 'kept', words: 'both act alike' },
  'both-log': { tone: 'kept', hollow: true, words: 'both log' },
  'only-legacy': { tone: 'lost', hollow: true, words: 'only the legacy WAF acts' },
  'only-new': { tone: 'lost', words: 'only the new WAF acts' },
  stricter: { tone: 'changed', words: 'the new WAF acts more strictly' },
  laxer: { tone: 'changed', hollow: true, words: 'the new WAF acts less strictly' },
  hidden: { tone: 'none', words: 'undecidable: the new WAF ended the request first' },
  'cut-short': { tone: 'none', words: 'undecidable: another rule ended the request in between' },
  sampled: { tone: 'none', words: 'undecidable: sampled data' },
  'stopped-before': { tone: 'none', hollow: true, words: 'stopped by another rule before both' },
  neither: { tone: 'none', hollow: true, words: 'neither acts' },
};

const look = (tone: Look['tone'], sign: string, word: string, words: string) => {
  return { tone, sign, word, words };
};

/** How each change is shown: a badge, and words for several requests. */
export const CHANGE_LOOKS: Readonly<Record<Change, Look & { readonly words: string }>> = {
  'newly-blocked': look('lost', '✕', 'Newly blocked', 'would be newly blocked'),
  'no-longer-blocked': look('lost', '○', 'No longer blocked', 'would no longer be blocked'),
  stricter: look('changed', '▲', 'More strictly', 'would be treated more strictly'),
  laxer: look('changed', '▽', 'Less strictly', 'would be treated less strictly'),
  undecidable: look('none', '?', 'Undecidable', 'are undecidable'),
  'newly-logged': look('none', '+', 'Newly logged', 'would be newly logged'),
  'no-longer-logged': look('none', '−', 'No longer logged', 'would no longer be logged'),
};

/** One rule with all that it changes, the heaviest first. */
export interface RuleEffects extends Pick<RuleAnswer, 'side' | 'ruleId' | 'name' | 'ruleset'> {
  readonly effects: readonly [RuleAnswer, ...RuleAnswer[]];
}

export function rulesWithEffects(answers: readonly RuleAnswer[]): RuleEffects[] {
  const rules = groupBy(answers, ({ side, ruleId }) => `${side} ${ruleId}`);
  return [...rules.values()].map((effects) => ({ ...effects[0], effects }));
}

/** What a rule changes, and when it acted, in one line. */
export function effectLine(effect: RuleAnswer): string {
  const { requests, change, verdict, share, clients, firstSeen, lastSeen } = effect;
  const { words } = CHANGE_LOOKS[change];
  const what = requests === 1 ? words.replace(/^are/, 'is') : words;
  const seen = new Set([firstSeen, lastSeen].filter((at) => at !== ''));
  return [
    `${counted(requests, 'request')} ${what} (${verdict})`,
    percent(share),
    counted(clients, 'client'),
    ...(seen.size === 0 ? [] : [[...seen].join(' to ')]),
  ].join(', ');
}

/** The result of a review in one sentence, with its tone. */
export function answerOf({ requests, impact, classes, undecidable }: Comparison) {
  const [fresh, gone] = [impact['newly-blocked'], impact['no-longer-blocked']];
  const byRules = ({ rules }: Impact): string => `, by ${counted(rules, 'rule')}`;
  const whole = counted(requests, 'request');
  const changes = [
    { verb: 'newly block', count: fresh.requests, by: byRules(fresh) },
    { verb: 'no longer block', count: gone.requests, by: byRules(gone) },
    { verb: 'act more strictly on', count: classes.stricter, by: '' },
    { verb: 'act less strictly on', count: classes.laxer, by: '' },
  ].filter(({ count }) => count > 0);
  if (changes.length > 0) {
    const parts = changes.map(({ verb, count, by }, index) => {
      const of = index === 0 ? ` of ${whole}` : '';
      return `${verb} ${grouped(count)}${of}${by}`;
    });
    const words = `Enforcing the new WAF would ${parts.join('. It would ')}.`;
    return { tone: fresh.requests + gone.requests > 0 ? 'lost' : 'changed', words } as const;
  }
  if (undecidable > 0) {
    const words = `${grouped(undecidable)} of ${whole} cannot be decided.`;
    return { tone: 'none', words } as const;
  }
  const compared = requests - classes['stopped-before'] - classes.neither;
  const words =
    compared === 0
      ? `Nothing was compared: neither WAF acted on the ${whole}.`
      : `Enforcing the new WAF would change nothing for the ${counted(compared, 'request')} on which a WAF acted.`;
  return { tone: compared < ENOUGH_REQUESTS ? 'none' : 'kept', words } as const;
}

/** With fewer requests that both WAFs acted on, equal results are not enough evidence. */
const ENOUGH_REQUESTS = 100;

/** What a review is based on: `55 events from 28 requests`. */
export const basisOf = ({ requests, intake }: Pick<Review, 'requests' | 'intake'>): string =>
  `${intake === undefined ? '' : `${counted(intake.events, 'event')} from `}${counted(requests, 'request')}`;

/** The outcomes that requests had, with their share as a percentage. */
export const outcomeCounts = ({ classes, requests }: Comparison) =>
  OUTCOMES.filter((outcome) => classes[outcome] > 0).map((outcome) => ({
    ...OUTCOME_LOOKS[outcome],
    count: classes[outcome],
    share: percent(classes[outcome] / Math.max(requests, 1)),
  }));

function percent(share: number): string {
  const shown = Number((share * 100).toFixed(2));
  return share > 0 && shown === 0 ? '<0.01 %' : `${shown} %`;
}

/** Wraps a long line; the lines that follow are indented further. */
export function folded(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return wrapLines(line.slice(indent.length), indent, `${indent}    `);
}

/** What is proposed, one line each and its reason below it; the file has the evidence. */
export const proposalLines = ({ changes, notProposed, promise }: Proposal): string[] => [
  `Proposed: ${counted(changes.length, 'change')}.`,
  ...changes.flatMap((change) => [
    `  ${printable(describe(change), 300)}`,
    `    ${counted(change.evidence.requests, 'request')} from ${counted(change.evidence.clients, 'client')}: ${printable(change.why, 200)}`,
  ]),
  ...notProposed.map(
    ({ ruleId, requests, why }) =>
      `  nothing for ${printable(ruleId, 40)} (${counted(requests, 'request')}): ${printable(why, 200)}`,
  ),
  `  ${promiseLine(promise)}`,
];

export const promiseLine = ({
  newlyBlocked: { before, after },
  undecidable = 0,
}: Proposal['promise']): string =>
  `Promise: newly blocked ${grouped(before)} → at most ${grouped(after)}${undecidable === 0 ? '' : `, including ${grouped(undecidable)} undecidable`}`;

export function describe(change: ProposedChange): string {
  switch (change.kind) {
    case 'log':
      return `only log rule ${change.ruleId}`;
    case 'enable':
      return `enable rule ${change.ruleId} with the action ${change.action}`;
    case 'skip':
      return `add an exception from rule ${change.ruleId}, for ${change.expression}`;
  }
}

export const effectLines = ({ classes, promise }: Effect): string[] => [
  'Since the baseline:',
  ...OUTCOMES.flatMap((outcome) => {
    const moved = classes[outcome];
    if (moved === undefined) return [];
    return [
      `  ${OUTCOME_LOOKS[outcome].words}: ${grouped(moved.before)} (${percent(moved.shareBefore)}) → ${grouped(moved.after)} (${percent(moved.shareAfter)})`,
    ];
  }),
  ...(promise === undefined
    ? []
    : [
        `  newly blocked: promised at most ${percent(promise.promised)}, seen ${percent(promise.actual)}: ${promise.kept === null ? 'not known' : promise.kept ? 'kept' : 'not kept'}`,
      ]),
];
