import { resolve } from 'node:path';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { type ServiceOptions, withClient, withService } from '../service-options';

/** `fetch-config`: the answer of the configuration endpoint, unchanged. */
export const fetchConfigCommand: CliCommand<
  ServiceOptions & { zone: string; out?: string; force?: boolean }
> = {
  name: 'fetch-config',
  summary: 'save the answer of the migration config as it came',
  example: 'fetch-config --zone 0123456789abcdef0123456789abcdef --out config.json',
  define: (command) =>
    withService(command)
      .requiredOption('--zone <id>', 'zone id, 32 hexadecimal digits')
      .option('--out <file>', 'file to write instead of standard output')
      .option('--force', 'overwrite a file that differs'),
  run: (options, context) =>
    withClient(options, context, async (client) => {
      const { readMigrationConfig } = await import('../../cloudflare/waf-migration');
      const { text: answer, result } = await readMigrationConfig(client, options.zone);
      if (options.out === undefined)
        return { json: result, text: '', document: answer, exitCode: 0 };
      const { writeFiles } = await import('../../actions/write-files');
      await writeFiles([{ path: resolve(context.cwd, options.out), text: answer }], {
        force: options.force ?? false,
      });
      return {
        json: { files: [options.out] },
        text: `wrote ${printable(options.out)}`,
        exitCode: 0,
      };
    }),
};
