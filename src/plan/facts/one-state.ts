import { withoutKeys } from '../../core/resource-address';
import { quoteHcl } from '../../core/terraform-syntax';
import { onlyState, referenceIn } from '../../project/declared-rulesets';
import { Expression } from '../../tfconfig/config';
import { findBlocks, isSynthesised } from '../../tfconfig/find-blocks';
import { type StateFacts } from './facts';
import { zonesOfBlocks } from './zones-of-blocks';

/** Whether other workspaces of the folder have, or may have, legacy resources or rulesets. */
export function sharesFiles({
  workspace,
  otherWorkspaces,
  importedElsewhere,
}: Pick<StateFacts, 'workspace' | 'otherWorkspaces' | 'importedElsewhere'>): boolean {
  if (importedElsewhere === undefined) return workspace !== 'default';
  return otherWorkspaces.length + importedElsewhere.length > 0;
}

/** Whether `terraform init -backend-config` selects one of several environments, which have other zones. */
export function isOneEnvironment(state: StateFacts): boolean {
  return state.hasBackendConfig === true && openZones(state).length > 0;
}

/**
 * The `count` that keeps the ruleset of a zone in this state, if others share its files, and the legacy blocks have
 * another zone in each; undefined if none do.
 */
export function countOf(state: StateFacts, zoneId: string): string | undefined {
  const isShared = sharesFiles(state);
  if (!isShared && state.hasBackendConfig !== true) return undefined;
  const zones = openZones(state, zoneId);
  if (zones.length === 0) return undefined;
  if (isShared) return `terraform.workspace == ${quoteHcl(state.workspace)} ? 1 : 0`;
  const rulesets = state.configuration?.project.rootModule.resources ?? [];
  const counted = rulesets.flatMap(({ block }) => onlyState(block.body)?.reference ?? []);
  const variable = [...zones, ...counted].find((one) => one.startsWith('var.'));
  return variable && `${variable} == ${quoteHcl(zoneId)} ? 1 : 0`;
}

/**
 * The zones of legacy blocks that another state can give another value: references of the root module, and `''` for other
 * expressions and for blocks that are gone, as after the plan of another state.
 */
function openZones(
  { configuration, legacyResources, values }: StateFacts,
  zoneId?: string,
): readonly string[] {
  if (configuration === undefined || isSynthesised(configuration.project)) return [];
  const { project } = configuration;
  const own = legacyResources.filter((one) => zoneId === undefined || one.zoneId === zoneId);
  const known = zonesOfBlocks(configuration, [], values);
  return [...new Set(own.map(({ address }) => withoutKeys(address)))].flatMap((address) => {
    const [one] = findBlocks(project, address);
    if (one === undefined) return '';
    const zone = one.block.body.get('zone_id');
    if (known.get(one.block)?.size !== 0 || !(zone instanceof Expression)) return [];
    const isRoot = project.rootModule.files.includes(one.file);
    return (isRoot && referenceIn(zone)) || '';
  });
}
