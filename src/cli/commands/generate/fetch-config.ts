import { join, resolve } from 'node:path';
import { readMigrationConfig } from '../../../cloudflare/waf-migration';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { writeFiles } from '../../../files/write-files';
import { defineCommand } from '../../context';
import { forZones } from '../../many-zones/for-zones';
import { isMany, spelt } from '../../zones';
import { commandOf, OUT_OF_MANY, sameZones, ZONES } from '../../options';

export const fetchConfigCommand = defineCommand({
  example: 'fetch-config --zone example.com --out config.json',
  flags: { ...ZONES, ...OUT_OF_MANY },
  run: (options, context) => {
    const { out, force = false } = options;
    const many = isMany(options);
    if (many && out === undefined) {
      throw new MigrationError('USAGE', 'pass a folder for the files of many zones: --out <dir>');
    }
    return forZones(options, context, {
      stage: 'fetch-config',
      next: () => commandOf('check', '', sameZones(options)),
      perform: async (client, { id }) => {
        const { text, result } = await readMigrationConfig(client, id);
        if (out === undefined)
          return { json: result, text: '', line: '', document: text, exitCode: 0 };
        // by id, because a name can change
        const file = many ? join(out, `${id}.json`) : out;
        writeFiles([{ path: resolve(context.cwd, file), text }], { force });
        const line = `wrote ${printable(file)}`;
        const next = commandOf('check', '', { zone: spelt(options, id) });
        return { json: { files: [file] }, text: line, line, next, exitCode: 0 };
      },
    });
  },
});
