import { withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { declaredAlone, isEntryPointOf, type OwnedZone } from './assign-owners';
import {
  type DeclaredRulesetAddress,
  type OtherWorkspace,
  type PlannedState,
} from './planned-state';

/**
 * What a declaration does in the other workspaces of its folder, which have the same files.
 * @param isChanged whether the plan has steps for the state: what is declared in another one is not in their way
 */
export function workspaceHazards(
  state: PlannedState,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  const imported = own.filter((zone) => !zone.imported);
  const declared = declaredAlone(state).filter(isOfOneZone);
  return [
    ...ownedElsewhere(state, isChanged ? [...imported, ...declared] : imported),
    ...forAllWorkspaces(state, imported),
  ];
}

/** The other workspace whose state has the entry point of a zone. */
export function owningWorkspace(
  { otherWorkspaces = [] }: PlannedState,
  zoneId: string,
): OtherWorkspace | undefined {
  return otherWorkspaces.find(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId)));
}

/** To import it here would give it to two states, and to create it collides. */
function ownedElsewhere(
  state: PlannedState,
  meant: readonly { readonly address: string; readonly zoneId: string }[],
): Finding[] {
  const places = new Map(meant.map(({ address, zoneId }) => [address, zoneId]));
  return [...places].flatMap(([address, zoneId]): Finding[] => {
    const owner = owningWorkspace(state, zoneId);
    if (owner === undefined) return [];
    return [
      {
        code: 'RULESET_OF_OTHER_WORKSPACE',
        severity: 'blocker',
        subject: address,
        message: `the state of workspace ${printable(owner.name, 80)} has the entry point of zone ${printable(zoneId, 40)}, and this one would have it too`,
        remedy:
          'leave it there, and plan this workspace for its own zone; where the declaration has the id of that zone, have it depend on the workspace',
      },
    ];
  });
}

/** An address with the id of one zone is to be created in every workspace that does not have it. */
function forAllWorkspaces(state: PlannedState, imported: readonly OwnedZone[]): Finding[] {
  const { otherWorkspaces = [], declared } = state;
  if (otherWorkspaces.length === 0) return [];
  const names = otherWorkspaces.map(({ name }) => name).join(', ');
  return imported
    .filter(({ zoneId }) => owningWorkspace(state, zoneId) === undefined)
    .filter(({ address }) => {
      const one = declared.find((ruleset) => ruleset.address === withoutKeys(address));
      if (one === undefined) return true;
      // meant as the entry point, whatever an expression tells of its phase
      return isOfOneZone({ ...one, zoneId: one.zoneId ?? one.mayBeOf ?? undefined });
    })
    .map(({ address, zoneId }) => ({
      code: 'DECLARED_FOR_ALL_WORKSPACES',
      severity: 'blocker',
      subject: address,
      message: printable(
        `the files are those of other workspaces too, which would create a ruleset that is declared with the id of zone ${zoneId}: ${names}`,
        1000,
      ),
      remedy:
        'declare it yourself with a zone_id that each workspace gives, as var.zones[terraform.workspace], and plan with its --address; where the rulesets differ, declare one for each with count = terraform.workspace == "<name>" ? 1 : 0',
    }));
}

/** Whether every workspace would create it, and for the same zone. */
export function isOfOneZone(
  one: DeclaredRulesetAddress,
): one is DeclaredRulesetAddress & { readonly zoneId: string } {
  return one.zoneId !== undefined && one.isRepeated !== true;
}
