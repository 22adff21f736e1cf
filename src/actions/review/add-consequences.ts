import { type Ruleset } from '../../model/ruleset';
import { effectSince, parseBaseline } from '../../review/effect';
import { propose } from '../../review/propose/proposal';
import { type Review } from '../../review/review';
import { type ZoneRule } from '../../review/rule-names';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { readJsonFile } from '../read-json-file';
import { writeFiles } from '../write-files';
import { renderProposal } from './write-proposal';

/** Where the proposal goes and what it changes. */
export interface ProposalInput {
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
