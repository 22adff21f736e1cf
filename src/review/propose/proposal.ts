import { type Ruleset } from '../../core/ruleset';
import { renderRule } from '../../ruleset/parse-ruleset';
import { type Comparison, type RuleSet } from '../comparison';
import { type RuleKnowledge } from '../managed-rules';
import { applyChanges, type ProposedChange } from './apply-changes';
import { chooseChanges, type NotProposed } from './choose-changes';

/** What is proposed, with its evidence and its promise: part of the command's JSON and of the file. */
export interface Proposal {
  readonly changes: readonly ProposedChange[];
  readonly notProposed: readonly NotProposed[];
  readonly promise: ProposalPromise;
}

/**
 * Proposes changes of a configuration.
 * @returns also the text of the file: the changed configuration in the form of a saved answer, so that
 *   `generate --config` and `start-validation --config` read it, and beside it the proposal
 */
export function propose(
  review: Comparison,
  ruleset: Ruleset,
  knowledge: RuleKnowledge,
): { readonly proposal: Proposal; readonly text: string } {
  const { changes, notProposed } = chooseChanges(review, ruleset.rules, knowledge);
  const proposal = { changes, notProposed, promise: promiseOf(review, changes) };
  const { rules, fields, ...head } = applyChanges(ruleset, changes);
  const result = { ...head, ...fields, rules: rules.map(renderRule) };
  const document = { success: true, errors: [], messages: [], result, proposal };
  return { proposal, text: `${JSON.stringify(document, null, 2)}\n` };
}

/** What a proposal will change in the same traffic. */
interface ProposalPromise {
  /** Requests that only the new WAF would stop. */
  readonly newlyBlocked: { readonly before: number; readonly after: number };
  /** Requests that only the legacy WAF stopped; `after` at most: custom rules are narrow. */
  readonly noLongerBlocked: { readonly before: number; readonly after: number };
  /** The requests of the review. */
  readonly requests: number;
}

/**
 * Computes the effect for each request: it is no longer stopped only if every rule that would stop it is
 * changed. What an enabled successor will stop is unknown and not promised.
 */
export function promiseOf(review: Comparison, changes: readonly ProposedChange[]): ProposalPromise {
  const relaxed = new Set(
    changes.flatMap((change) =>
      change.kind === 'log' || change.kind === 'skip' ? [change.ruleId] : [],
    ),
  );
  const stopping = new Set(
    review.rules.filter(({ change }) => change === 'newly-blocked').map(({ ruleId }) => ruleId),
  );
  const stoppedBy = (isStopping: (id: string) => boolean): number =>
    review.sets.reduce(
      (sum, { outcome, side, ruleIds, requests }: RuleSet) =>
        outcome === 'only-new' && side === 'new' && ruleIds.some(isStopping) ? sum + requests : sum,
      0,
    );
  const lax = review.rules
    .filter(({ change }) => change === 'no-longer-blocked')
    .reduce((sum, { requests }) => sum + requests, 0);
  const covered = changes.reduce(
    (sum, change) => sum + (change.kind === 'custom' && change.enabled ? change.covers : 0),
    0,
  );
  return {
    newlyBlocked: {
      before: stoppedBy((id) => stopping.has(id)),
      after: stoppedBy((id) => stopping.has(id) && !relaxed.has(id)),
    },
    noLongerBlocked: { before: lax, after: Math.max(0, lax - covered) },
    requests: review.requests,
  };
}
