import { renderRule } from '../../generate/parse-ruleset';
import { type Ruleset } from '../../model/ruleset';
import { type Proposal } from '../../review/propose/proposal';

/**
 * The file of a proposal: the configuration in the form of a saved answer, so that `generate --config`
 * and `start-validation --config` take it, and beside it what was changed and why.
 */
export function renderProposal(ruleset: Ruleset, proposal: Proposal): string {
  const { id, name, kind, phase, description, rules, fields } = ruleset;
  const result = {
    ...(id === undefined ? {} : { id }),
    name,
    kind,
    phase,
    ...(description === undefined ? {} : { description }),
    ...fields,
    rules: rules.map(renderRule),
  };
  const document = { success: true, errors: [], messages: [], result, proposal };
  return `${JSON.stringify(document, null, 2)}\n`;
}
