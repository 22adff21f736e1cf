import { groupBy, listed } from '../../core/lists';
import { withoutKeys } from '../../core/resource-address';
import { canBeEntryPoint, type DeclaredRulesetAddress } from '../../project/declared-rulesets';
import { type Facts, type OwnedZone, type StateFacts } from '../facts/facts';
import {
  declarationOf,
  declaredNotInState,
  declaredInPart,
  isEntryPointOf,
  isInOtherBlock,
} from '../facts/ruleset-address';
import { startsOf } from '../../tfconfig/state-blocks';
import { isUndeclared } from '../facts/plan-removal';
import { checksWhole } from '../steps/orders';
import { declareAgain } from '../steps/declare-live';
import { sharesFiles } from '../facts/one-state';
import { type Detail, each, finding, type Rule } from './rule';
import {
  EACH_ENVIRONMENT,
  EACH_ITS_ZONE,
  KEEP_ONE,
  misplacedRuleset,
  replacedRuleset,
  shownPlace,
  taintedRuleset,
  undeclaredRuleset,
} from './state-ruleset-findings';

const MERGE = 'merge their rules into one resource, then plan again';

export const ofRulesets: readonly Rule<Facts>[] = [
  // an apply would create these
  finding(
    'ENTRY_POINT_NOT_IMPORTED',
    'blocker',
    'A declared ruleset is not in the state',
    (facts) => {
      if (!checksWhole(facts)) return [];
      const { state, own, isSynthesised } = facts;
      const known = new Set(own.map(({ address }) => withoutKeys(address)));
      const { project } = state.configuration ?? {};
      const moves = project !== undefined && startsOf(project, 'moved').length > 0;
      const mayBeMoved = (zone: string) => moves && state.rulesets.some(isEntryPointOf(zone));
      const eachItsZone = state.hasBackendConfig === true ? EACH_ENVIRONMENT : EACH_ITS_ZONE;
      const elsewhere = isSynthesised
        ? 'If another stack or environment has the zone, remove the construct from this stack, and synthesise'
        : eachItsZone;
      const orMove = isSynthesised
        ? ', or remove its construct from the program until that zone has migrated, and synthesise'
        : ', or move its file to another folder until that zone has migrated';
      return declaredNotInState(state)
        .filter(({ address, isRepeated }) => isRepeated !== true && !known.has(address))
        .filter(({ zoneId }) => zoneId !== undefined && !mayBeMoved(zoneId))
        .map(({ address, zoneId = '' }) => ({
          subject: address,
          message: 'if its zone has migrated, creating it collides with the existing entry point',
          remedy: `${elsewhere}. Otherwise pass --zone ${zoneId} too, to import it${orMove}. If another resource declares the entry point of that zone, ${MERGE}`,
        }));
    },
  ),
  finding(
    'OTHER_WORKSPACES',
    'decision',
    'Another workspace may have the ruleset',
    ({ state, entering }) =>
      entering
        .filter(
          ({ zoneId: zone }) =>
            sharesFiles(state) && !state.legacyResources.some(({ zoneId }) => zoneId === zone),
        )
        .map(({ address, zoneId }) => ({
          subject: address,
          message: `if another workspace has the ruleset of zone ${zoneId}, a destroy here would delete it there too`,
          remedy: `check the other workspaces. ${EACH_ITS_ZONE}, then plan again without this zone`,
        })),
  ),
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
  each(undeclaredRuleset, ({ state, own, isSynthesised }) =>
    own
      .filter((zone) => isRulesetUndeclared(state, zone))
      .map((zone) => ({ ...zone, dir: state.dir, isSynthesised })),
  ),
  each(misplacedRuleset, ({ state, own }) =>
    own.filter((zone) => zone.imported && isInOtherBlock(state, zone)),
  ),
  each(taintedRuleset, ({ state, own }) =>
    state.rulesets.filter(
      ({ address, isTainted }) => isTainted && own.some((one) => one.address === address),
    ),
  ),
  each(replacedRuleset, ({ state, own }) =>
    own.flatMap(({ address, zoneId, rulesetId: liveId }) => {
      const id = state.rulesets.find((one) => one.address === address)?.id;
      if (id === undefined || id === liveId) return [];
      return { address, id, zoneId, liveId, first: 'check --ruleset-id, or ' };
    }),
  ),
  // an import needs the key of one instance, which only the user knows
  finding(
    'RULESET_NEEDS_KEY',
    'blocker',
    'The ruleset is declared with count or for_each',
    ({ state, entering }) =>
      entering
        .filter(({ address }) => {
          const { isRepeated = false, isOfOneState = false } = declarationOf(state, address) ?? {};
          return isRepeated && !isOfOneState;
        })
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
        message: `they undo each other's changes: ${listed(places.map(shownPlace))}`,
        remedy: `${KEEP_ONE}, and plan again`,
      };
    }),
);

/** Whether the next apply would destroy the ruleset of a zone. */
export function isRulesetUndeclared(
  { configuration }: StateFacts,
  { imported, address }: OwnedZone,
): boolean {
  return imported && isUndeclared(address, configuration);
}

/** Rulesets that are a second declaration of an entry point, if an expression has the right value. */
function mayBeDeclared(state: StateFacts, own: readonly OwnedZone[]): Detail[] {
  const absent = declaredNotInState(state);
  const absentInPart = declaredInPart(state);
  const found = own.flatMap((zone) => {
    const { address, imported, zoneId } = zone;
    const isThere = imported || declarationOf(state, address) !== undefined;
    // if the zone has its own ruleset, one with an unknown zone usually belongs to another zone
    return [...absent, ...(isThere ? [] : absentInPart)]
      .filter((one) => canBeEntryPoint(one, zoneId))
      .filter((one) => !own.some((other) => other !== zone && other.address === one.address))
      .filter((one) => !isThere || (one.mayBeOf === zoneId && one.address !== address))
      .map((one) => ({
        zone,
        address: one.address,
        how: isThere ? { remedy: `if it is, ${MERGE}` } : whatElse(one, zone, state.dir),
      }));
  });
  return [...groupBy(found, ({ how }) => JSON.stringify(how)).values()].map((same) => {
    const addresses = listed([...new Set(same.map(({ address }) => address))]);
    const zones = listed([...new Set(same.map(({ zone }) => zone.zoneId))]);
    const others = listed([...new Set(same.map(({ zone }) => zone.address))]);
    return {
      subject: addresses,
      message: `its zone or phase is an expression: it may be the entry point of zone ${zones}, and ${others} would be a second one`,
      ...same[0].how,
    };
  });
}

/** `--address` accepts no module and no key. */
function whatElse(
  { address, isRepeated }: DeclaredRulesetAddress,
  { zoneId }: OwnedZone,
  dir: string,
): Pick<Detail, 'remedy' | 'command'> {
  if (isRepeated || address.startsWith('module.'))
    return {
      remedy:
        'if it is, do not accept this: import it, with its key or the key of its module, and plan again. If legacy resources stop the import, first remove them with `terraform state rm`, and then their blocks',
    };
  return {
    remedy:
      'if it is, do not accept this: plan again with its address, and with the other options of this plan',
    command: [
      ...['cf-waf-migrate', 'plan', '--dir', dir, '--zone', zoneId],
      ...['--address', address, '--out', 'plan.json'],
    ],
  };
}
