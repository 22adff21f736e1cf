import { renderRule } from '../../ruleset/parse-ruleset';
import { type Ruleset } from '../../core/ruleset';
import { effectSince, parseBaseline } from '../effect';
import { type Proposal, propose } from '../propose/proposal';
import { type Review } from '../review';
import { type ZoneRule } from '../rule-names';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { readJsonFile } from '../../files/read-json-file';
import { writeFiles } from '../../files/write-files';

/** Where the proposal goes and what it changes. */
interface ProposalInput {
  readonly path: string;
  readonly force: boolean;
  readonly config: Ruleset;
  readonly catalogue: Catalogue;
  readonly zoneRules: readonly ZoneRule[];
}

/**
 * Adds what is proposed, and writes it.
 * @throws MigrationError `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export function addProposal(review: Review, input: ProposalInput): Review {
  const { path, force, config, catalogue, zoneRules } = input;
  const { proposal, ruleset } = propose(review, config, { catalogue, zoneRules });
  writeFiles([{ path, text: renderProposal(ruleset, proposal) }], { force });
  return { ...review, proposal };
}

/**
 * Adds what changed since an earlier review.
 * @throws MigrationError `FILE_UNREADABLE`, `REVIEW_BASELINE_INVALID`
 */
export async function addEffect(review: Review, path: string): Promise<Review> {
  return { ...review, effect: effectSince(parseBaseline(await readJsonFile(path)), review) };
}

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
