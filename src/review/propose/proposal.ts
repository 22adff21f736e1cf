import { type Ruleset } from '../../core/ruleset';
import { type Comparison, type PathCount, type RuleSet, type Sample } from '../comparison';
import { applyChanges } from './apply-changes';
import { type ChoiceInput, chooseChanges } from './choose-changes';

/** What is proposed, with its evidence and its promise: part of the command's JSON and of the file. */
export interface Proposal {
  readonly changes: readonly ProposedChange[];
  readonly notProposed: readonly NotProposed[];
  readonly promise: ProposalPromise;
}

/** Proposes changes of a configuration, and gives it with them. */
export function propose(
  review: Comparison,
  ruleset: Ruleset,
  input: Omit<ChoiceInput, 'rules'>,
): { readonly proposal: Proposal; readonly ruleset: Ruleset } {
  const { changes, notProposed } = chooseChanges(review, { ...input, rules: ruleset.rules });
  return {
    proposal: { changes, notProposed, promise: promiseOf(review, changes) },
    ruleset: applyChanges(ruleset, changes),
  };
}

/** What a proposal will change in the same traffic. */
interface ProposalPromise {
  /** Requests that only the new WAF would stop. */
  readonly newlyBlocked: { readonly before: number; readonly after: number };
  /** Requests that only the old WAF stopped; `after` at most: own rules are narrow. */
  readonly noLongerBlocked: { readonly before: number; readonly after: number };
  /** Requests of the review that it was worked out for. */
  readonly requests: number;
}

/**
 * Works out the effect request by request: one is no longer stopped only when every rule that would
 * stop it is changed. What an enabled successor will catch is not known, and not promised.
 */
export function promiseOf(review: Comparison, changes: readonly ProposedChange[]): ProposalPromise {
  const relaxed = new Set(
    changes.flatMap((change) =>
      change.kind === 'log' || change.kind === 'skip' ? [change.ruleId] : [],
    ),
  );
  const stopping = new Set(
    review.rules
      .filter(({ outcome, change }) => outcome === 'only-new' && change === 'newly-blocked')
      .map(({ ruleId }) => ruleId),
  );
  const strict = review.sets.filter(
    ({ outcome, side, ruleIds }) =>
      outcome === 'only-new' && side === 'new' && ruleIds.some((id) => stopping.has(id)),
  );
  const left = strict.filter(({ ruleIds }) =>
    ruleIds.some((id) => stopping.has(id) && !relaxed.has(id)),
  );
  const lax = review.rules
    .filter(({ outcome, change }) => outcome === 'only-old' && change === 'no-longer-blocked')
    .reduce((sum, { requests }) => sum + requests, 0);
  const covered = changes.reduce(
    (sum, change) => sum + (change.kind === 'custom' && change.enabled ? change.covers : 0),
    0,
  );
  return {
    newlyBlocked: { before: total(strict), after: total(left) },
    noLongerBlocked: { before: lax, after: Math.max(0, lax - covered) },
    requests: review.requests,
  };
}

const total = (sets: readonly RuleSet[]): number =>
  sets.reduce((sum, { requests }) => sum + requests, 0);

/** Why a change is proposed: what was seen. */
export interface Evidence {
  /** The rule of which it was seen, old or new. */
  readonly ruleId: string;
  readonly name: string;
  readonly requests: number;
  readonly share: number;
  readonly clients: number;
  readonly paths: readonly PathCount[];
  readonly samples: readonly Sample[];
}

interface Common {
  readonly evidence: Evidence;
  /** For a reader. */
  readonly why: string;
}

/** One change of the configuration. */
export type ProposedChange = Common &
  (
    | {
        /** An override that lets a managed rule log only. */
        readonly kind: 'log';
        readonly rulesetId: string;
        readonly ruleId: string;
      }
    | {
        /** An override that lets the successor of an old rule do what the old one did. */
        readonly kind: 'enable';
        readonly rulesetId: string;
        readonly ruleId: string;
        readonly action: 'block' | 'managed_challenge';
      }
    | {
        /** An exception for one managed rule. */
        readonly kind: 'skip';
        readonly rulesetId: string;
        readonly ruleId: string;
        readonly expression: string;
      }
    | {
        /** A rule of the zone's own. */
        readonly kind: 'custom';
        readonly action: 'block' | 'managed_challenge';
        readonly expression: string;
        /** How many of the seen requests it certainly meets. */
        readonly covers: number;
        readonly enabled: boolean;
      }
  );

/** Something that was seen and for which no change could be written. */
export interface NotProposed {
  readonly ruleId: string;
  readonly requests: number;
  readonly why: string;
}
