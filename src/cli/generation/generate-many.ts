import { generate } from '../../actions/generate';
import { readDeclarations } from '../../actions/read-declarations';
import { readSource } from '../../actions/read-source';
import { writeFiles } from '../../actions/write-files';
import { MigrationError } from '../../model/migration-error';
import { type CliContext, type CommandResult } from '../context';
import { forZones } from '../fleet/for-zones';
import { filesBeside, type GenerateTarget, requestOf } from './choose-target';
import { type GenerateOptions } from './generate-options';
import { report } from './report';

/**
 * `generate` for many zones: their stacks lie beside each other, in one folder.
 * @throws MigrationError `USAGE`, and those of `forZones`
 */
export async function generateMany(
  options: GenerateOptions,
  context: CliContext,
  target: GenerateTarget,
): Promise<CommandResult> {
  const { source, force = false } = options;
  const { config, state, dir, catalogue, managedRuleset } = options;
  const offline = { config, state, dir, catalogue, 'managed-ruleset': managedRuleset };
  const [flag] = Object.entries(offline).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) {
    throw new MigrationError('USAGE', `--${flag} is of one zone: of many the service is asked`);
  }
  if (source === 'state' || source === 'old') {
    throw new MigrationError('USAGE', `--source ${source} is for one zone at a time`);
  }
  const request = requestOf(target, options);
  // read once: with a thousand zones in the folder, each would read the files of all others
  const declared = await readDeclarations(target.out, target.format);
  const owners = new Map<string, string>();
  writeFiles(filesBeside(target), { force });
  return forZones(options, context, {
    stage: 'generate',
    // to overwrite or not decides nothing of the result
    request: { source, ...request, force: undefined },
    perform: async (client, zone) => {
      const read = await readSource(client, zone.id, source);
      const result = await generate({
        ...request,
        zone,
        source: read,
        declared,
        owners,
        besideOthers: true,
      });
      return report(result, target, context.cwd);
    },
  });
}
