import { join, resolve } from 'node:path';
import { type Client } from '../../../cloudflare/client';
import { unlessRefused } from '../../../cloudflare/refusals';
import {
  positionOf,
  readMigrationConfig,
  readMigrationStatus,
} from '../../../cloudflare/waf-migration';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { refuseLinkOut } from '../../../files/paths';
import { writeFiles } from '../../../files/write-files';
import { defineCommand } from '../../context';
import { forZones } from '../../fleet/for-zones';
import { isMany, spelt } from '../../zones';
import { commandForSameZones, commandOf, OUT_OF_MANY, ZONES } from '../../options';

export const fetchConfigCommand = defineCommand({
  example: 'fetch-config --zone example.com --out config.json',
  flags: { ...ZONES, ...OUT_OF_MANY },
  run: async (options, context) => {
    const { out, force = false } = options;
    const many = isMany(options);
    if (many && out === undefined) {
      throw new MigrationError('USAGE', 'pass a folder for the files of many zones: --out <dir>', {
        hint: `run:\ncf-waf-migrate ${context.commandWith(['--out', 'configs'])}`,
      });
    }
    if (many && out !== undefined) await refuseLinkOut(resolve(context.cwd, out), context.cwd);
    return forZones(options, context, {
      stage: 'fetch-config',
      next: () => commandForSameZones('check', options),
      perform: async (client, { id }) => {
        const reading = readMigrationConfig(client, id);
        const read = await (many
          ? reading.catch((error: unknown) => whenMigrated(error, client, id))
          : reading);
        if (read === undefined) {
          const line = 'already migrated: it has no migration configuration';
          return { json: null, text: line, line, exitCode: 0 };
        }
        const { text, result } = read;
        if (out === undefined)
          return { json: result, text: '', line: '', document: text, exitCode: 0 };
        // by id, because a name can change
        const file = many ? join(out, `${id}.json`) : out;
        writeFiles([{ path: resolve(context.cwd, file), text }], {
          force,
          ...(many && { links: false }),
        });
        const line = `wrote ${printable(file)}`;
        const next = commandOf('check', { zone: spelt(options, id) });
        return { json: { files: [file] }, text: line, line, next, exitCode: 0 };
      },
    });
  },
});

/** A migrated zone of a list is no failure. */
async function whenMigrated(error: unknown, client: Client, zoneId: string): Promise<undefined> {
  if (!(error instanceof MigrationError && error.code === 'API_REFUSED')) throw error;
  const status = await unlessRefused(readMigrationStatus(client, zoneId));
  if (status === undefined || positionOf(status) !== 'moved') throw error;
}
