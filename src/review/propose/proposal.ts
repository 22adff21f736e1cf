import { type Ruleset } from '../../model/ruleset';
import { type Comparison } from '../comparison';
import { applyChanges } from './apply-changes';
import { type NotProposed, type ProposedChange } from './change';
import { type ChoiceInput, chooseChanges } from './choose-changes';
import { type ProposalPromise, promiseOf } from './promise';

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
