import { join, resolve } from 'node:path';
import { readMigrationConfig } from '../../cloudflare/waf-migration';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { writeFiles } from '../../files/write-files';
import { type CliCommand } from '../context';
import { forZones } from '../many-zones';
import {
  type FleetOptions,
  isFleet,
  type ServiceOptions,
  withFleet,
  withService,
  withZone,
  type ZoneOption,
} from '../options';

type FetchOptions = ServiceOptions &
  ZoneOption &
  FleetOptions & { readonly out?: string; readonly force?: boolean };

/** `fetch-config`: the answer of the configuration endpoint, unchanged. */
export const fetchConfigCommand: CliCommand<FetchOptions> = {
  example: 'fetch-config --zone 0123456789abcdef0123456789abcdef --out config.json',
  define: (command) =>
    withService(withFleet(withZone(command)))
      .option('--out <file>', 'file to write instead of standard output; for many zones a folder')
      .option('--force', 'overwrite a file that differs'),
  run: (options, context) => {
    const { out, force = false } = options;
    const many = isFleet(options);
    if (many && out === undefined) {
      throw new MigrationError('USAGE', 'pass a folder for the answers of many zones: --out <dir>');
    }
    return forZones(options, context, {
      stage: 'fetch-config',
      request: { out: out ?? null },
      perform: async (client, { id }) => {
        const { text, result } = await readMigrationConfig(client, id);
        if (out === undefined)
          return { json: result, text: '', line: '', document: text, exitCode: 0 };
        // by its id: what is saved is read back by tools, and a name can change
        const file = many ? join(out, `${id}.json`) : out;
        writeFiles([{ path: resolve(context.cwd, file), text }], { force });
        const line = `wrote ${printable(file)}`;
        return { json: { files: [file] }, text: line, line, exitCode: 0 };
      },
    });
  },
};
