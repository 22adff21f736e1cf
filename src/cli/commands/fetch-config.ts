import { resolve } from 'node:path';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { type ServiceOptions, withClient, withService } from '../service-options';
import { requireZone, withZone, type ZoneOption } from '../zone-option';

/** `fetch-config`: the answer of the configuration endpoint, unchanged. */
export const fetchConfigCommand: CliCommand<
  ServiceOptions & ZoneOption & { out?: string; force?: boolean }
> = {
  name: 'fetch-config',
  summary: 'save the answer of the migration config as it came',
  example: 'fetch-config --zone 0123456789abcdef0123456789abcdef --out config.json',
  define: (command) =>
    withService(withZone(command))
      .option('--out <file>', 'file to write instead of standard output')
      .option('--force', 'overwrite a file that differs'),
  run: async (options, context) => {
    const zone = requireZone(options);
    const { readMigrationConfig } = await import('../../cloudflare/waf-migration');
    const { text, result } = await withClient(options, context, (client) =>
      readMigrationConfig(client, zone),
    );
    if (options.out === undefined) return { json: result, text: '', document: text, exitCode: 0 };
    const { writeFiles } = await import('../../actions/write-files');
    const path = resolve(context.cwd, options.out);
    writeFiles([{ path, text }], { force: options.force ?? false });
    return {
      json: { files: [options.out] },
      text: `wrote ${printable(options.out)}`,
      exitCode: 0,
    };
  },
};
