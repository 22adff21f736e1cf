import { resolve } from 'node:path';
import { readSavedRuleset } from '../../actions/read-saved-ruleset';
import { readSource, type SourceRuleset } from '../../actions/read-source';
import { readZone } from '../../cloudflare/zones';
import { MigrationError } from '../../model/migration-error';
import { type CliContext } from '../context';
import { readTranslated } from '../read-translated';
import { withClient } from '../service-options';
import { type GenerateOptions } from './generate-options';

/** A zone, and the ruleset that its stack declares. */
export interface GenerateInput {
  readonly zone: { readonly id: string; readonly name?: string };
  readonly source: Omit<SourceRuleset, 'findings'> & Partial<Pick<SourceRuleset, 'findings'>>;
}

/**
 * Reads the ruleset of one zone from where the flags say: the service, a saved answer, old settings.
 * @throws MigrationError `USAGE`, and those of the source
 */
export async function readInput(
  options: GenerateOptions,
  context: CliContext,
  zoneId: string,
): Promise<GenerateInput> {
  const { source } = options;
  const hasState = options.state !== undefined || options.dir !== undefined;
  if (options.config !== undefined && (hasState || source === 'state' || source === 'old')) {
    throw new MigrationError('USAGE', '--config is an answer, and old settings are none: pass one');
  }
  if (hasState || source === 'state') {
    if (source !== 'auto' && source !== 'state') {
      throw new MigrationError('USAGE', `--source ${source} reads no state`);
    }
    return readTranslated(options, context, zoneId, 'state');
  }
  if (source === 'old') return readTranslated(options, context, zoneId, 'old');
  if (options.config !== undefined) {
    const path = resolve(context.cwd, options.config);
    return { zone: { id: zoneId }, source: await readSavedRuleset(path, source) };
  }
  return withClient(options, context, async (client) => {
    const { name } = await readZone(client, zoneId);
    return { zone: { id: zoneId, name }, source: await readSource(client, zoneId, source) };
  });
}
