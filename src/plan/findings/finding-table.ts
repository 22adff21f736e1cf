import { type Finding, isBlocker } from '../../core/finding';
import { groupBy, listed } from '../../core/lists';
import { MANAGED_PHASE } from '../../core/ruleset';
import { namedBlock, type ResourceBlock } from '../../tfconfig/config';
import { isUpgradedOnly, withoutResource } from '../facts/derive-facts';
import { zoneExpressionOf } from '../facts/zones-of-blocks';
import { mustRemoveAll } from '../facts/remove-all';
import { type Facts, type PlannedZone } from '../facts/facts';
import { declarationOf, declaredNotInState, isEntryPointOf } from '../facts/ruleset-address';
import { isOneEnvironment } from '../facts/one-state';
import { blockOfSeveralStates, ofBlocks, renamedBlocks } from './block-findings';
import { ofProvider } from './provider-findings';
import { type Detail, finding, oneFinding, type Rule } from './rule';
import { checksWhole } from '../steps/orders';
import { REVERTED } from './state-ruleset-findings';
import { isRulesetUndeclared, ofRulesets, rulesetOfSeveralStates } from './ruleset-findings';

const NO_OTHER_STATE =
  'check that it is the right state and workspace, and that no other state has them';

function hasAllRulesets({ state }: Facts): boolean {
  const isImported = state.rulesets.some(({ phase }) => phase === MANAGED_PHASE);
  return isImported && declaredNotInState(state).length === 0;
}

const ofResources: readonly Rule<Facts>[] = [
  finding('NO_LEGACY_RESOURCES', 'info', 'Nothing to remove from this state', (facts) =>
    facts.isIdle && !isUpgradedOnly(facts)
      ? {
          subject: facts.state.name,
          message: hasAllRulesets(facts)
            ? 'it has no legacy resource of the planned zones, and all declared rulesets are imported'
            : 'it has no legacy resource of the planned zones',
          remedy:
            'check that it is the right state and workspace. If the ruleset of a zone is in no state, plan only this zone, with its folder',
          line: `${PLAN_ZONE} --dir <folder>`,
        }
      : [],
  ),
  finding(
    'OTHER_ZONES',
    'blocker',
    'Legacy resources of other zones would be removed from the state too',
    (facts) =>
      otherZones(
        facts,
        true,
        `plan them together: leave out --zone, or add them to the list. Finish a zone that is not migrated first${otherWay(facts)}`,
      ),
  ),
  finding('OTHER_ZONES', 'decision', 'Legacy resources of other zones stay in the state', (facts) =>
    otherZones(
      facts,
      false,
      'plan them later: `cf-waf-migrate status` shows which zones can be planned',
    ),
  ),
  finding(
    'OTHER_ZONES',
    'decision',
    'A block to remove names a zone that is not planned',
    ({ state, scope, removal, blockZones }) => {
      const known = new Set([...state.legacyResources, ...scope.owned].map(({ zoneId }) => zoneId));
      const named = removal?.blocks.flatMap(({ block }) => [...(blockZones.get(block) ?? [])]);
      return oneFinding(
        [...new Set(named)].filter(
          (zone) => !known.has(zone) && !state.rulesets.some(isEntryPointOf(zone)),
        ),
        (zones) => ({
          subject: state.name,
          message: `the state has no resources of these zones, and their rulesets would stay in no state: ${listed(zones)}`,
          remedy: 'plan them too. Finish a zone that is not migrated first',
          line: `cf-waf-migrate plan --zone ${[...new Set([...scope.selected, ...zones])].join(' ')}`,
        }),
      );
    },
  ),
  finding(
    'OTHER_ZONES',
    'decision',
    'A block to remove may be of a zone that is not planned',
    ({ state, scope, removesAll, removal, removedBefore, blockZones }) => {
      const blocks = removesAll && !removedBefore ? (removal?.blocks ?? []) : [];
      const isKnown = ({ block }: ResourceBlock): boolean => blockZones.get(block)?.size !== 0;
      // a block without an expression has no zone at all
      const known = new Set([undefined, ...blocks.filter(isKnown).map(zoneExpressionOf)]);
      const unknown = blocks.filter(
        (one) =>
          one.block.type === 'resource' && !isKnown(one) && !known.has(zoneExpressionOf(one)),
      );
      return oneFinding(withoutResource(state, unknown), (lost) => ({
        subject: state.name,
        message: `the state has no resource of these blocks, whose zone is an expression. If it is not planned, its ruleset would stay in no state: ${listed(lost.map(({ block }) => namedBlock(block)))}`,
        remedy: 'plan their zone too, unless it is in the plan',
        line: `cf-waf-migrate plan --zone ${[...scope.selected, '<id or name>'].join(' ')}`,
      }));
    },
  ),
  finding('VARIABLES_UNSET', 'blocker', 'Variables have no value', ({ state, isIdle, method }) =>
    oneFinding(isIdle || method === 'blocks' ? [] : state.unsetVariables, (names) => ({
      subject: state.name,
      message: `these have no default, and no value in this folder or its environment: ${names.join(', ')}; without them, the import would fail after the state was changed`,
      remedy:
        'set each as TF_VAR_<name> for all commands, or pass the values after --, with paths relative to the Terraform folder',
      line: `cf-waf-migrate plan ${state.dir === '.' ? '--out plan.json' : '--dir <folder> --out <plan file>'} -- -var-file=<file>`,
    })),
  ),
  finding(
    'LEGACY_RESOURCES_GONE',
    'decision',
    'The state has no legacy resources of these zones',
    ({ state, scope, entering, removedBefore, lostZones, legacyBlocks }) => {
      const isOfState = ({ address, zoneId }: PlannedZone): boolean =>
        declarationOf(state, address) !== undefined ||
        state.legacyResources.some((one) => one.zoneId === zoneId);
      const isClean =
        entering.every(isOfState) &&
        (!removedBefore || legacyBlocks.every(({ mode }) => mode === 'data'));
      if ((!scope.isAlone || isClean) && lostZones.size === 0) return [];
      return {
        subject: state.name,
        message:
          legacyBlocks.length === 0 || (!removedBefore && lostZones.size === 0)
            ? 'the plan imports the ruleset into it'
            : 'the plan assumes that they were removed before: it imports the ruleset, and removes the legacy blocks from the files',
        remedy: NO_OTHER_STATE,
      };
    },
  ),
  finding(
    'LEGACY_RESOURCES_GONE',
    'decision',
    'Some legacy resources are not in the state',
    ({ state, isIdle, removesAll, removedBefore, lostZones, lostBlocks }) =>
      oneFinding(
        // the decision before is about all of a zone, and other plans remove all blocks
        isIdle || removedBefore || lostZones.size > 0 || removesAll ? [] : lostBlocks,
        (blocks) => ({
          subject: state.name,
          message: `the plan assumes that the resources of these blocks were removed before, and removes the blocks from the files: ${listed(blocks.map(({ block }) => namedBlock(block)))}`,
          remedy: NO_OTHER_STATE,
        }),
      ),
  ),
  finding('LEGACY_BLOCKS_DECLARED', 'blocker', 'Terraform would create legacy resources', (facts) =>
    blocksLeft(facts, true),
  ),
  finding(
    'LEGACY_BLOCKS_DECLARED',
    'decision',
    'Legacy blocks stay in the configuration',
    (facts) => blocksLeft(facts, false),
  ),
];

const ofOthers: readonly Rule<Facts>[] = [
  finding(
    'OTHER_WORKSPACES',
    'blocker',
    'The ruleset of a planned zone is declared for another environment',
    ({ state, entering }) =>
      entering
        .filter(({ zoneId }) => state.declaredElsewhere?.includes(zoneId))
        .map(({ zoneId }) => ({
          subject: state.name,
          message: `the files declare the ruleset of zone ${zoneId} with a count that is 0 here, so it belongs to another workspace or environment`,
          remedy:
            'leave the zone out here; if anything is left to do, select the workspace or environment of the zone, and plan it there',
        })),
  ),
  finding(
    'OTHER_WORKSPACES',
    'decision',
    'Other environments may have legacy resources too',
    ({ state, removal }) =>
      (removal?.blocks ?? []).length === 0 || !isOneEnvironment(state)
        ? []
        : {
            subject: state.name,
            message:
              'another workspace or environment may have the same files: once the blocks are removed, an apply there would destroy its resources',
            remedy:
              'apply this plan; then select the next workspace or environment, plan and apply there, until all are done; apply nothing else with these files before. If there is no other, accept it',
          },
  ),
];

const ofState = [...ofResources, ...ofBlocks, ...ofRulesets, ...ofOthers, ...ofProvider];

const ofPlan: readonly Rule<readonly Facts[]>[] = [
  finding('ZONE_NOT_IN_STATE', 'decision', 'A zone is in no state', ([first, another]) => {
    const dir = another ? undefined : first?.state.dir;
    return (first?.scope.missing ?? []).map((zoneId) => ({
      subject: zoneId,
      message: 'no state has a legacy resource of this zone, or its ruleset',
      remedy:
        'check the zone id and that it is the right state and workspace. To import its ruleset, plan only this zone, with its folder',
      ...(dir === undefined
        ? { line: `cf-waf-migrate plan --zone ${zoneId} --dir <folder>` }
        : { command: ['cf-waf-migrate', 'plan', '--zone', zoneId, '--dir', dir] }),
    }));
  }),
  blockOfSeveralStates,
  rulesetOfSeveralStates,
];

export const findingTable: readonly Omit<Rule<never>, 'find'>[] = [...ofState, ...ofPlan];

export function findingsOf(facts: readonly Facts[]): Finding[] {
  return [
    ...facts.flatMap((one) => withoutNothingToDo(ofState.flatMap(({ find }) => find(one)))),
    ...ofPlan.flatMap(({ find }) => find(facts)),
  ];
}

/** A blocker is something to do. */
const withoutNothingToDo = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ code }) => code !== 'NO_LEGACY_RESOURCES' || !findings.some(isBlocker));

export const PLAN_ZONE = 'cf-waf-migrate plan --zone <id or name>';

/** What to do with legacy blocks without resources in the state; a command that plans their zone follows. */
export const WITHOUT_RESOURCE =
  'if another workspace or environment has their resources, migrate that one first. If their zone has not migrated, move them to another folder until then. If their count or for_each is empty here, or another folder calls their module, keep them. Otherwise delete them if a state has the ruleset of their zone. If none has, plan that zone before you delete them';

/**
 * The legacy blocks that stay, without resources in the state.
 * @param isCertain whether a step requires an empty plan of everything, and no `count` or `for_each` can make it empty
 */
function blocksLeft(facts: Facts, isCertain: boolean): readonly Detail[] {
  const { state, own, blocksWithoutResource } = facts;
  const root = state.configuration?.project.rootModule.files ?? [];
  const isCreated = ({ file, block: { body } }: ResourceBlock): boolean =>
    root.includes(file) && !body.has('count') && !body.has('for_each');
  if ((checksWhole(facts) && blocksWithoutResource.some(isCreated)) !== isCertain) return [];
  const isReverted = own.some((zone) => isRulesetUndeclared(state, zone));
  // MOVE_PENDING says what to do with blocks that have another name
  return oneFinding(renamedBlocks(state).length > 0 ? [] : blocksWithoutResource, (blocks) => ({
    subject: state.name,
    message: `the state does not have their resources. Terraform plans to create or read these unless their count is 0, or the provider does not support their types: ${listed(blocks.map(({ block }) => namedBlock(block)))}`,
    remedy: isReverted
      ? `${REVERTED}, which also removes these blocks. Otherwise, delete them, then plan again`
      : WITHOUT_RESOURCE,
    line: isReverted ? undefined : PLAN_ZONE,
  }));
}

/**
 * The zones that were not selected, with the number of their legacy resources, if any resource leaves the state.
 * @param areRemoved whether resources of these zones are removed too
 */
function otherZones(
  { state, scope, removedResources, own, upgradeTo, isSynthesised }: Facts,
  areRemoved: boolean,
  remedy: string,
): readonly Detail[] {
  const ofOthers = state.legacyResources.filter(
    ({ zoneId, mode }) =>
      mode === 'managed' && zoneId !== undefined && !scope.selected.includes(zoneId),
  );
  const removed = new Set(removedResources);
  // without a removal, the provider of the state would stay as it is
  const isHeld = removed.size === 0 && upgradeTo !== undefined && (own.length > 0 || isSynthesised);
  if (removed.size === 0 && !isHeld) return [];
  if ((isHeld || ofOthers.some((one) => removed.has(one))) !== areRemoved) return [];
  const zones = [...groupBy(ofOthers, ({ zoneId }) => zoneId)];
  return oneFinding(zones, () => ({
    subject: state.name,
    message: `zones that were not selected, with their number of legacy resources: ${zones.map(([id = '', own]) => `${id} (${own.length})`).join(', ')}`,
    remedy,
  }));
}

/** How to plan the selected zones all the same. Empty if there is no way. */
function otherWay({ state, method }: Facts): string {
  if (state.installed === undefined) return '; or pass --from with the installed provider version';
  return method === 'blocks' && !mustRemoveAll(state)
    ? '; or leave out --method to plan the selected zones first'
    : '';
}
