import { type Client } from '../../cloudflare/client';
import { readEntryPoint } from '../../cloudflare/entry-point';
import { generateStack } from '../../generate/generate-stack';
import { parseRuleset } from '../../ruleset/parse-ruleset';
import { MigrationError } from '../../core/migration-error';
import { terraformFileName } from '../../core/terraform-file-name';
import { assignOwners } from '../assign-owners';
import { boundProvider } from '../bound-provider';
import { chooseOrder } from '../order';
import { type PlannedState, type PlannedZone } from '../planned-state';
import { majorOf } from '../provider-version';

/**
 * The ruleset that is live, and the file that declares it for the state that is to own it.
 * @throws MigrationError `ENTRY_POINT_MISSING`, and those of the client
 */
export async function readLiveZone(
  client: Client,
  zoneId: string,
  address: string,
  states: readonly PlannedState[],
): Promise<PlannedZone> {
  const entryPoint = await readEntryPoint(client, zoneId);
  const source = entryPoint === undefined ? undefined : parseRuleset(entryPoint);
  const rulesetId = source?.ruleset.id;
  if (source === undefined || rulesetId === undefined) {
    throw new MigrationError(
      'ENTRY_POINT_MISSING',
      `zone ${zoneId} has no entry point ruleset to import`,
      {
        hint: 'finish the migration of the zone first; if it has migrated (`cf-waf-migrate status`), deploy a managed ruleset; or plan the other zones of the state with --zone',
      },
    );
  }
  const { name, kind, phase } = source.ruleset;
  const zone = { zoneId, rulesetId, address, live: { name, kind, phase } };
  const [owned] = assignOwners([zone], states);
  // what a state has is declared, and its address can have a key
  if (owned === undefined || owned.imported) return zone;
  const resourceName = owned.address.split('.').at(-1) ?? owned.address;
  const { resourceFile, findings } = generateStack({
    zone: { id: zoneId },
    source,
    provider: majorOf(chooseOrder(owned.owner).to),
    format: 'hcl',
    resourceName,
    preventDestroy: true,
    providerReference: boundProvider(owned.owner, zoneId),
  });
  // what cannot be declared exactly is a decision: `generate` names it, a plan does not take it
  const isExact = findings.every(({ severity }) => severity === 'info');
  return {
    ...zone,
    ...(isExact
      ? { declaration: { path: terraformFileName(resourceName, '.tf'), text: resourceFile.text } }
      : {}),
  };
}
