import { posixQuote } from '../../core/posix-quote';
import { type OwnedRuleset, type OwnedZone, type StateFacts, type StepFacts } from '../facts/facts';
import { generateLive } from '../steps/declare-live';
import { finding } from './rule';

/** What to do with a ruleset that is in the files of workspaces with other zones. */
export const EACH_ITS_ZONE =
  'If workspaces have different zones, add `count = terraform.workspace == "<workspace>" ? 1 : 0` to each ruleset';

export const EACH_ENVIRONMENT =
  'If environments with other zones have the same files, add `count = var.zone_id == "<zone id>" ? 1 : 0`, with their variable, to each ruleset';

/** How to declare a ruleset again that a state has. */
export const REVERTED =
  'if this clone is behind, run `git pull`; if the pull request of the migration was reverted after it was applied, revert the revert; if the edits of `apply` were lost, `apply` of the saved plan makes them again';

/** A ruleset of a state that the files of its folder do not declare. */
export const undeclaredRuleset = finding<
  Pick<StepFacts, 'dir' | 'isSynthesised'> & Pick<OwnedZone, 'address' | 'zoneId'>
>(
  'ENTRY_POINT_NOT_DECLARED',
  'blocker',
  'An apply now would destroy the live ruleset',
  ({ dir, isSynthesised, address, zoneId }) => {
    const place = address.startsWith('module.') ? '<folder of the module>' : dir;
    // the construct may be there, but not synthesised
    const flags = isSynthesised ? ['--force'] : [];
    return {
      subject: address,
      command: generateLive({ dir: place, isSynthesised }, { zoneId, address }, ...flags),
      message:
        'the state has this ruleset, and the files do not declare it: without it, the zone would have no WAF',
      remedy: `apply nothing in this folder before it is declared again${isSynthesised ? ' and synthesised' : ''}: ${REVERTED}; if another state has the ruleset too, \`terraform state rm ${posixQuote(address)}\` here destroys nothing; otherwise restore the declaration from version control, or write it`,
    };
  },
);

/** A ruleset of a state at the address of a block that declares another one. */
export const misplacedRuleset = finding<Pick<OwnedRuleset, 'address' | 'zoneId'>>(
  'ENTRY_POINT_NOT_DECLARED',
  'blocker',
  'An apply now would replace the live ruleset',
  ({ address, zoneId = '' }) => ({
    subject: address,
    message: `the state has the managed ruleset of zone ${zoneId} at this address, and the block there declares another zone or phase`,
    remedy: `apply nothing in this folder before: run \`terraform state rm ${posixQuote(address)}\`, which destroys nothing, then plan again to import the ruleset at another address`,
  }),
);

/** A ruleset that Terraform would delete and create again. */
export const taintedRuleset = finding<Pick<OwnedRuleset, 'address'>>(
  'RULESET_TAINTED',
  'blocker',
  'An apply now would replace the live ruleset',
  ({ address }) => ({
    subject: address,
    message: 'the state marks it as tainted: Terraform would delete it, and create another one',
    remedy: `apply nothing in this folder before: run \`terraform untaint ${posixQuote(address)}\`, then plan again`,
  }),
);

/** A ruleset of a state that another one has replaced as the entry point of its zone. */
export const replacedRuleset = finding<
  Pick<OwnedRuleset, 'address' | 'id'> & {
    readonly zoneId: string;
    readonly liveId: string;
    readonly first?: string;
  }
>(
  'ENTRY_POINT_DIFFERS',
  'blocker',
  'The state has another entry point ruleset of the zone',
  ({ address, id, zoneId, liveId, first = '' }) => ({
    subject: address,
    message: `the state has ruleset ${id}, and the entry point of zone ${zoneId} is ${liveId}: an apply would create another one, and fail`,
    remedy: `${first}remove it from the state with \`terraform state rm ${posixQuote(address)}\`, which destroys nothing, then plan to import the live one`,
    line: `cf-waf-migrate plan --zone ${zoneId}`,
  }),
);

/** Why a ruleset leaves a state before its block does. */
export const BLOCK_LAST =
  'because Terraform destroys the live ruleset if its block is removed before';

/** How to keep only one of the resources that have a ruleset. */
export const KEEP_ONE = `first remove one of them from its state with \`terraform state rm <address>\`, ${BLOCK_LAST}. Then delete its block, or only its key or module call if more resources need the block`;

/** A resource, with the folder of its state. */
type PlacedResource = Pick<OwnedRuleset, 'address'> & Pick<StateFacts, 'dir'>;

export const shownPlace = ({ address, dir }: PlacedResource): string => `${address} in ${dir}`;
