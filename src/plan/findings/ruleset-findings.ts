import { groupBy, listed } from '../../core/lists';
import { posixQuote } from '../../core/posix-quote';
import { withoutKeys } from '../../core/resource-address';
import { canBeEntryPoint, type DeclaredRulesetAddress } from '../../project/declared-rulesets';
import {
  type Facts,
  type OwnedRuleset,
  type OwnedZone,
  type StateFacts,
  type StepFacts,
} from '../facts/facts';
import {
  declaredAlone,
  declaredInPart,
  isEntryPointOf,
  isInOtherBlock,
} from '../facts/ruleset-address';
import { startsOf } from '../../tfconfig/state-blocks';
import { isUndeclared } from '../facts/plan-removal';
import { checksWhole } from '../steps/orders';
import { declareAgain, generateLive } from '../steps/declare-live';
import { type Detail, finding, type Rule } from './rule';

/** What to do with the rulesets of workspaces that share the files. */
export const EACH_ITS_ZONE =
  'If workspaces have different zones, add `count = terraform.workspace == "<workspace>" ? 1 : 0` to each ruleset';

/** How to declare a ruleset again that a state has. */
export const REVERTED =
  'if the pull request of the migration was reverted after it was applied, revert the revert';

const MERGE = 'merge their rules into one resource, then plan again';

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
      remedy: `apply nothing in this folder before it is declared again${isSynthesised ? ' and synthesised' : ''}: ${REVERTED}; otherwise restore the declaration from version control, or write it`,
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

/** A ruleset that workspaces with other zones have in their files. */
export const createdElsewhere = finding<
  Pick<StateFacts, 'workspace'> & Pick<OwnedRuleset, 'address'>
>(
  'OTHER_WORKSPACES',
  'decision',
  'Other workspaces would create the ruleset too',
  ({ workspace, address }) => ({
    subject: address,
    message:
      'they share the files, and have the rulesets of other zones: an apply there would create this one, and fail because it exists',
    remedy: `after \`apply\`, add \`count = terraform.workspace == ${JSON.stringify(workspace)} ? 1 : 0\` to it, and run \`terraform apply\` here, which only changes its address; apply nothing in the other workspaces before`,
  }),
);

/** Whether all workspaces of the folder declare a ruleset of this one, and those with rulesets have none of its zone. */
export function isOfAllWorkspaces(
  state: StateFacts,
  { zoneId = '', address }: Pick<OwnedRuleset, 'zoneId' | 'address'>,
): boolean {
  const { importedElsewhere: others = [] } = state;
  const declared = declarationOf(state, address);
  // an expression can give each workspace its zone
  const isOfAll =
    declared === undefined || (declared.zoneId === zoneId && declared.isRepeated !== true);
  return isOfAll && others.length > 0 && !others.includes(zoneId);
}

export const ofRulesets: readonly Rule<Facts>[] = [
  // an apply would create these
  finding(
    'ENTRY_POINT_NOT_IMPORTED',
    'blocker',
    'A declared ruleset is not in the state',
    (facts) => {
      const { state, own } = facts;
      const known = new Set(own.map(({ address }) => withoutKeys(address)));
      const { project } = state.configuration ?? {};
      const moves = project !== undefined && startsOf(project, 'moved').length > 0;
      const mayBeMoved = (zone: string) => moves && state.rulesets.some(isEntryPointOf(zone));
      if (!checksWhole(facts)) return [];
      return declaredAlone(state)
        .filter(({ address, isRepeated }) => isRepeated !== true && !known.has(address))
        .filter(({ zoneId }) => zoneId !== undefined && !mayBeMoved(zoneId))
        .map(({ address }) => ({
          subject: address,
          message: 'if its zone has migrated, creating it collides with the existing entry point',
          remedy: `${EACH_ITS_ZONE}. Otherwise pass --zone for its zone too, to import it, or move its file to another folder until that zone has migrated. If another resource declares the entry point of that zone, ${MERGE}`,
        }));
    },
  ),
  finding(
    'OTHER_WORKSPACES',
    'decision',
    'Another workspace may have the ruleset',
    ({ state, entering }) =>
      entering
        .filter(({ zoneId: zone }) => !state.legacyResources.some(({ zoneId }) => zoneId === zone))
        // another workspace than `default` has others beside it
        .filter(
          ({ zoneId }) =>
            state.importedElsewhere?.includes(zoneId) ?? state.workspace !== 'default',
        )
        .map(({ address, zoneId }) => ({
          subject: address,
          message: `this state has no legacy resources of zone ${zoneId}: if another workspace has the ruleset, a destroy here would delete it there too`,
          remedy: `check the other workspaces. ${EACH_ITS_ZONE}, then plan again without this zone`,
        })),
  ),
  {
    ...createdElsewhere,
    find: ({ state, entering }) =>
      entering
        .filter((zone) => isOfAllWorkspaces(state, zone))
        .flatMap(({ address }) => createdElsewhere.find({ ...state, address })),
  },
  finding(
    'RULESET_WITHOUT_RULES',
    'blocker',
    'Terraform would remove all rules of the live ruleset',
    ({ state, own, ...facts }) =>
      own
        .filter(
          ({ address, declare }) =>
            declarationOf(state, address)?.hasNoRules === true &&
            // the live ruleset was read
            (declare !== undefined ||
              state.rulesets.some((one) => one.address === address && one.hasRules === true)),
        )
        .map(({ address, zoneId }) => ({
          subject: address,
          message: 'its block declares no rules: an apply would leave the zone without a WAF',
          ...declareAgain(facts, { zoneId, address }),
        })),
  ),
  {
    ...undeclaredRuleset,
    find: ({ state, own, isSynthesised }) =>
      own
        .filter((zone) => isLost(state, zone))
        .flatMap((zone) => undeclaredRuleset.find({ ...zone, dir: state.dir, isSynthesised })),
  },
  {
    ...misplacedRuleset,
    find: ({ state, own }) =>
      own
        .filter((zone) => zone.imported && isInOtherBlock(state, zone))
        .flatMap(misplacedRuleset.find),
  },
  {
    ...taintedRuleset,
    find: ({ state, own }) =>
      state.rulesets
        .filter(({ address, isTainted }) => isTainted && own.some((one) => one.address === address))
        .flatMap(taintedRuleset.find),
  },
  finding(
    'ENTRY_POINT_DIFFERS',
    'blocker',
    'The state has another entry point ruleset of the zone',
    ({ state, own }) =>
      own.flatMap(({ address, zoneId, rulesetId }) => {
        const other = state.rulesets.find((one) => one.address === address)?.id;
        if (other === undefined || other === rulesetId) return [];
        return {
          subject: address,
          message: `the entry point of zone ${zoneId} is ${other} in the state, and ${rulesetId} in the plan`,
          remedy:
            'check --ruleset-id; if the entry point was created anew, remove this address with `terraform state rm`, then plan again',
        };
      }),
  ),
  // an import needs the key of one instance, which only the user knows
  finding(
    'RULESET_NEEDS_KEY',
    'blocker',
    'The ruleset is declared with count or for_each',
    ({ state, entering }) =>
      entering
        .filter(({ address }) => declarationOf(state, address)?.isRepeated === true)
        .map(({ address, zoneId }) => ({
          subject: address,
          message: `it, or a module that contains it, has several instances, and the instance for zone ${zoneId} is unknown`,
          remedy:
            'import it with its key, then plan again: a ruleset in the state is not imported again',
        })),
  ),
  finding(
    'ENTRY_POINT_MAY_BE_DECLARED',
    'decision',
    'The ruleset may be declared already',
    ({ state, own }) => mayBeDeclared(state, own),
  ),
];

/** The first step to keep only one of several resources that have a ruleset. */
export const removeFrom = (states = 'one of the states', address = '<address>'): string =>
  `first remove it from ${states} with \`terraform state rm ${address}\`, because Terraform destroys the live ruleset if its block is removed before`;

/** How to keep only one of the resources that have a ruleset. Prefers to remove one whose block declares nothing else. */
export function keepOne(
  places: readonly (Pick<OwnedRuleset, 'address'> & Pick<StateFacts, 'dir'>)[],
): string {
  const single = places.filter(({ address }) => !/\[|^module\./.test(address));
  const only = single.length === 1 ? single[0] : undefined;
  const isOneState = new Set(places.map(({ dir }) => dir)).size === 1;
  const first = removeFrom(
    isOneState ? 'the state at one of the addresses' : undefined,
    only && posixQuote(only.address),
  );
  const isShared = only === undefined && single.length < places.length;
  const shared = isShared
    ? ', or only its key or module call if more resources need the block'
    : '';
  return `${first}. Then delete its block${isOneState ? '' : ' in that folder'}${shared}`;
}

export const rulesetOfSeveralStates: Rule<readonly Facts[]> = finding(
  'ENTRY_POINT_DECLARED_TWICE',
  'decision',
  'Two resources have the ruleset',
  (all) =>
    (all[0]?.scope.owned ?? []).flatMap(({ zoneId }) => {
      const places = all.flatMap(({ state: { dir, rulesets } }) =>
        rulesets.filter(isEntryPointOf(zoneId)).map(({ address }) => ({ address, dir })),
      );
      if (places.length < 2) return [];
      return {
        subject: zoneId,
        message: `they undo each other's changes: ${listed(places.map(({ address, dir }) => `${address} in ${dir}`))}`,
        remedy: `${keepOne(places)}, and plan again`,
      };
    }),
);

/** Whether the next apply would destroy the ruleset of a zone. */
export function isLost({ configuration }: StateFacts, { imported, address }: OwnedZone): boolean {
  return imported && isUndeclared(address, configuration);
}

function declarationOf({ declared }: StateFacts, address: string) {
  return declared.find((one) => one.address === withoutKeys(address));
}

/** Rulesets that are a second declaration of an entry point, if an expression has the right value. */
function mayBeDeclared(state: StateFacts, own: readonly OwnedZone[]): Detail[] {
  const found = own.flatMap((zone) => {
    const { address, imported, zoneId } = zone;
    const isThere = imported || declarationOf(state, address) !== undefined;
    // if the zone has its own ruleset, one with an unknown zone usually belongs to another zone
    return [...declaredAlone(state), ...(isThere ? [] : declaredInPart(state))]
      .filter((one) => canBeEntryPoint(one, zoneId))
      .filter((one) => !isThere || (one.mayBeOf === zoneId && one.address !== address))
      .map((one) => ({
        zone,
        address: one.address,
        remedy: isThere ? `then ${MERGE}` : whatElse(one),
      }));
  });
  return [...groupBy(found, ({ remedy }) => remedy)].map(([remedy, same]) => {
    const addresses = listed([...new Set(same.map(({ address }) => address))]);
    const zones = listed([...new Set(same.map(({ zone }) => zone.zoneId))]);
    const others = listed([...new Set(same.map(({ zone }) => zone.address))]);
    return {
      subject: addresses,
      message: `its zone or phase is an expression: if it is the entry point of zone ${zones}, ${others} is a second one`,
      remedy,
    };
  });
}

/** `--address` accepts no module and no key. */
function whatElse({ address, isRepeated }: DeclaredRulesetAddress): string {
  return isRepeated || address.startsWith('module.')
    ? 'then import it, with its key or the key of its module, and plan again. If legacy resources stop the import, remove them with `terraform state rm` first'
    : 'then pass its address with --address';
}
