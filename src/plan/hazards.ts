import { withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { declaredAlone, mayBeEntryPointOf, type OwnedZone } from './assign-owners';
import { folderHazards } from './folder-hazards';
import { providerFindings } from './bound-provider';
import { type DeclaredRulesetAddress, type PlannedState } from './planned-state';
import { wafSwitches } from './waf-switches';
import { undeclaredRuleset } from './undeclared-ruleset';
import { owningWorkspace, isOfOneZone, workspaceHazards } from './workspace-hazards';

const MERGE = 'merge their rules into one resource, then plan again';

/**
 * What would make an apply in the folder of a state do harm, or fail.
 * @param isChanged whether the plan has steps for the state
 */
export function hazardsOf(
  state: PlannedState,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  return [
    ...notImported(state, own, isChanged),
    ...own.flatMap((zone) => [
      ...wouldBeReplaced(state, zone),
      ...undeclaredRuleset(state, zone),
      ...isAnother(state, zone),
      ...needsKey(state, zone),
      ...mayBeDeclared(state, zone),
      ...providerFindings(state, zone),
    ]),
    ...wafSwitches(state),
    ...workspaceHazards(state, own, isChanged),
    ...folderHazards(state),
  ];
}

function notImported(
  state: PlannedState,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  const known = new Set(own.map(({ address }) => withoutKeys(address)));
  return (
    declaredAlone(state)
      .filter(({ address, zoneId }) => zoneId !== undefined && !known.has(address))
      // of another workspace: a count keeps it out of this one, or it is a blocker of its own
      .filter(
        (one) =>
          owningWorkspace(state, one.zoneId ?? '') === undefined ||
          (isOfOneZone(one) && !isChanged),
      )
      .map(({ address }) => ({
        code: 'ENTRY_POINT_NOT_IMPORTED',
        severity: 'decision',
        subject: address,
        message:
          'this ruleset is declared and not in the state: where its zone has migrated, to create it collides with the entry point that is there',
        remedy: `pass --zone for its zone too, so that it is imported, or where another resource declares the entry point of that zone, ${MERGE}${
          state.otherWorkspaces?.length
            ? '; where another workspace is to own it, see that its count is 0 in this one'
            : ''
        }`,
      }))
  );
}

function wouldBeReplaced({ declared }: PlannedState, zone: OwnedZone): Finding[] {
  const one = declared.find(({ address }) => address === zone.address);
  const { live } = zone;
  if (one === undefined || live === undefined) return [];
  const differing = (['name', 'kind', 'phase'] as const).filter(
    (field) => one[field] !== undefined && one[field] !== live[field],
  );
  if (differing.length === 0) return [];
  return [
    {
      code: 'RULESET_WOULD_BE_REPLACED',
      severity: 'decision',
      subject: zone.address,
      message: `the declared ${differing.join(' and ')} differ${differing.length === 1 ? 's' : ''} from the live ruleset: Terraform would delete it and create another, and the zone has no WAF in between`,
      remedy: 'declare them as they are live: `generate --source live` prints them',
    },
  ];
}

/** The entry of the zone's ruleset is none of it. */
function isAnother({ rulesets }: PlannedState, zone: OwnedZone): Finding[] {
  const entry = rulesets.find(({ address }) => address === zone.address);
  if (entry?.id === undefined || entry.id === zone.rulesetId) return [];
  return [
    {
      code: 'ENTRY_POINT_DIFFERS',
      severity: 'blocker',
      subject: zone.address,
      message: `the state has another ruleset as entry point of zone ${zone.zoneId}: ${printable(entry.id, 40)}, not ${zone.rulesetId}`,
      remedy:
        'check --ruleset-id; where the entry point was made anew, take the entry out with `terraform state rm`, then plan again',
    },
  ];
}

/** An import leads to one instance, of which only a person knows the key. */
function needsKey({ declared }: PlannedState, { imported, address, zoneId }: OwnedZone): Finding[] {
  const one = declared.find((ruleset) => ruleset.address === address);
  if (imported || one?.isRepeated !== true) return [];
  return [
    {
      code: 'RULESET_NEEDS_KEY',
      severity: 'blocker',
      subject: address,
      message: `it, or a module on its way, is declared with count or for_each, and which instance is that of zone ${zoneId} is not known`,
      remedy: 'import it by hand with its key, then plan again: what the state has is not imported',
    },
  ];
}

/** A ruleset whose zone or phase is an expression, beside the address that is planned for. */
function mayBeDeclared(state: PlannedState, zone: OwnedZone): Finding[] {
  const isThere = zone.imported || state.declared.some(({ address }) => address === zone.address);
  return (
    declaredAlone(state)
      .filter(mayBeEntryPointOf(zone.zoneId))
      // where the zone has its own, a ruleset of a zone that is not told is another zone's as a rule
      .filter(
        ({ address, mayBeOf }) => !isThere || (mayBeOf === zone.zoneId && address !== zone.address),
      )
      .map((one) => ({
        code: 'ENTRY_POINT_MAY_BE_DECLARED',
        severity: 'decision',
        subject: one.address,
        message: `an expression tells its zone or its phase: where it is the entry point of zone ${zone.zoneId}, ${zone.address} is a second one`,
        remedy: isThere ? `then ${MERGE}` : wayIn(one),
      }))
  );
}

/** `--address` takes no module and no key. */
function wayIn({ address, isRepeated }: DeclaredRulesetAddress): string {
  return isRepeated || address.startsWith('module.')
    ? 'then import it by hand, with the key of its module or its own where it has one, and plan again: what the state has is not imported (where legacy resources keep Terraform from importing, remove them with `terraform state rm` first)'
    : `then pass --address ${address}`;
}
