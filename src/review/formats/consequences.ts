import { printable } from '../../core/printable';
import { OUTCOMES } from '../comparison';
import { type Effect } from '../effect';
import { type ProposedChange } from '../propose/change';
import { type Proposal } from '../propose/proposal';
import { grouped, outcomeWords, percent, plural } from './words';

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
  return [
    'Since the baseline:',
    ...OUTCOMES.flatMap((outcome) => {
      const moved = classes[outcome];
      return moved === undefined
        ? []
        : [
            `  ${outcomeWords[outcome]}: ${grouped(moved.before)} (${percent(moved.shareBefore)}) → ${grouped(moved.after)} (${percent(moved.shareAfter)})`,
          ];
    }),
    ...(promise === undefined
      ? []
      : [
          `  newly blocked: promised ${percent(promise.newlyBlocked.promised)}, seen ${percent(promise.newlyBlocked.actual)}: ${promise.newlyBlocked.kept ? 'kept' : 'not kept'}`,
          `  no longer blocked: promised at most ${percent(promise.noLongerBlocked.promised)}, seen ${percent(promise.noLongerBlocked.actual)}: ${promise.noLongerBlocked.kept ? 'kept' : 'not kept'}`,
        ]),
  ];
}
