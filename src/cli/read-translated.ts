import { readManagedIds } from '../actions/managed-rule-ids';
import { pickZone } from '../actions/pick-zones';
import { parseOldSettings, readOldSettings } from '../actions/read-old-settings';
import { type SourceRuleset } from '../actions/read-source';
import { translateSource } from '../actions/translate-source';
import { readZone } from '../cloudflare/zones';
import { MigrationError } from '../model/migration-error';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { type OldSettingsOptions, translateOptions } from './old-settings-options';
import { readStates } from './read-states';
import { type ServiceOptions, withClient } from './service-options';

/** A zone and the ruleset that its old settings become. */
export interface TranslatedZone {
  readonly zone: { readonly id: string; readonly name?: string };
  readonly source: SourceRuleset;
}

/**
 * The ruleset of a zone from its old settings: of states, without asking anybody, or of the old
 * interfaces.
 * @throws MigrationError `USAGE`, `STATE_…`, `OLD_SETTINGS_MISSING`, `RULESET_EMPTY`, and those of the client
 */
export async function readTranslated(
  options: OldSettingsOptions & ServiceOptions & CommonOptions,
  context: CliContext,
  zoneId: string,
  from: 'state' | 'old',
): Promise<TranslatedZone> {
  const told = await translateOptions(options, context);
  if (from === 'state') {
    if (options.state === undefined && options.dir === undefined) {
      throw new MigrationError('USAGE', '--source state needs the state: pass --state or --dir');
    }
    const { zones, findings } = parseOldSettings(await readStates(options, context));
    const settings = pickZone(zones, zoneId);
    const source = translateSource(settings, from, told);
    return {
      zone: { id: zoneId },
      source: { ...source, findings: [...findings, ...source.findings] },
    };
  }
  return withClient(options, context, async (client) => {
    const { name } = await readZone(client, zoneId);
    const { zones, findings } = await readOldSettings(client, zoneId);
    const managedIds = told.managedIds ?? (await readManagedIds(client, zoneId));
    const settings = pickZone(zones, zoneId);
    const source = translateSource(settings, from, {
      ...told,
      ...(managedIds === undefined ? {} : { managedIds }),
    });
    return {
      zone: { id: zoneId, name },
      source: { ...source, findings: [...findings, ...source.findings] },
    };
  });
}
