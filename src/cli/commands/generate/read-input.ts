import { resolve } from 'node:path';
import { type Client } from '../../../cloudflare/client';
import { readZone } from '../../../cloudflare/zones';
import { MigrationError } from '../../../core/migration-error';
import { type GenerateRequest } from '../../../generate/generate';
import {
  readSavedRuleset,
  readSource,
  type SourceRuleset,
  translateSource,
} from '../../../generate/read-source';
import { pickZone } from '../../../report/compare-zones';
import { type TranslateOptions } from '../../../translate/reading/legacy-zone';
import { type ReadSettings } from '../../../translate/source/legacy-settings';
import {
  readLegacySettings,
  readTranslateOptions,
} from '../../../translate/source/settings-from-api';
import { hasCredentials, withClient } from '../../client';
import { type CliContext } from '../../context';
import { readZones, withZoneClient } from '../../zones';
import { type GenerateOptions } from './target';

/** Reads the ruleset of one zone from the source that the flags select: the API, a saved answer, or legacy settings. */
export async function readInput(
  options: GenerateOptions,
  context: CliContext,
  zone: string,
  readSettings: () => Promise<ReadSettings>,
): Promise<Pick<GenerateRequest, 'zone' | 'source'>> {
  const { source, config } = options;
  const hasState = options.state !== undefined || options.dir !== undefined;
  if (config !== undefined && (hasState || source === 'state' || source === 'old')) {
    throw new MigrationError('USAGE', 'pass either --config, or a source of legacy settings');
  }
  if (source === 'state' || (hasState && source === 'auto')) {
    const [known = { id: zone }] = await readZones([zone], options, context);
    const read = (client?: Client) => readTranslateOptions(client, known.id);
    const translateOptions = await (hasCredentials(options, context)
      ? withClient(options, context, read)
      : read());
    const settings = await readSettings();
    return { zone: known, source: translated(settings, known.id, 'state', translateOptions) };
  }
  if (hasState) throw new MigrationError('USAGE', `--source ${source} reads no state`);
  if (config !== undefined && source !== 'old') {
    const [known = { id: zone }] = await readZones([zone], options, context);
    return { zone: known, source: await readSavedRuleset(resolve(context.cwd, config), source) };
  }
  return withZoneClient({ ...options, zone: [zone] }, context, async (client, id) => {
    const { name } = await readZone(client, id);
    const known = { id, name };
    if (source !== 'old') return { zone: known, source: await readSource(client, id, source) };
    const settings = await readLegacySettings(client, id);
    const translateOptions = await readTranslateOptions(client, id);
    return { zone: known, source: translated(settings, id, 'old', translateOptions) };
  });
}

function translated(
  { zones, findings }: ReadSettings,
  id: string,
  from: 'state' | 'old',
  options: TranslateOptions,
): SourceRuleset {
  const source = translateSource(pickZone(zones, id), from, options);
  return { ...source, findings: [...findings, ...source.findings] };
}
