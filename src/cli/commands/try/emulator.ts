import { resolve } from 'node:path';
import { types } from 'node:util';
import * as z from 'zod';
import { describeIssues, isJsonObject } from '../../../core/json';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { PROVIDER_MAJORS } from '../../../core/provider-majors';
import { startEmulator } from '../../../emulator/emulator';
import { readJsonFile } from '../../../files/read-files';
import { type CliContext, defineCommand } from '../../context';

export const emulatorCommand = defineCommand({
  example: 'emulator --port 8787 --scenario enterprise',
  flags: {
    '--port <number>': { summary: 'port on 127.0.0.1; 0 selects a free one', usual: '0' },
    '--tls': 'serve https, which providers 3 and 4 require',
    '--scenario <name|file>': {
      summary: 'a built-in scenario, or a file (docs/emulator.md)',
      usual: 'demo',
    },
  },
  run: async ({ port, scenario, tls = false }, context) => {
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new MigrationError('USAGE', `--port "${printable(port, 20)}" is not a port number`);
    }
    const data = await readScenario(scenario, context);
    const emulator = await startEmulator({ port: Number(port), scenario: data, tls }).catch(
      (cause: unknown) => {
        const invalid = `cannot start scenario ${printable(scenario, 100)}`;
        if (cause instanceof z.ZodError) {
          const where = printable(describeIssues(cause), 300);
          throw new MigrationError('SCENARIO_INVALID', `${invalid}: ${where}`);
        }
        // errors of a socket have a code
        throw types.isNativeError(cause) && 'code' in cause
          ? new MigrationError('EMULATOR_PORT', `cannot listen on port ${port}`, { cause })
          : new MigrationError('SCENARIO_INVALID', invalid, { cause });
      },
    );
    const { baseUrl, zones } = emulator;
    const environment = Object.fromEntries(
      PROVIDER_MAJORS.map((major) => [major, emulator.environment]),
    );
    const interrupted = context.untilInterrupted();
    context.stdout(`${JSON.stringify({ baseUrl, zones, environment })}\n`);
    await interrupted;
    await emulator.stop();
    return { json: undefined, text: '', document: '', exitCode: 0 };
  },
});

/** Text with a separator or a dot is a path; everything else is a name. */
async function readScenario(scenario: string, context: CliContext): Promise<string | object> {
  if (!/[./\\]/.test(scenario)) return scenario;
  const data = await readJsonFile(resolve(context.cwd, scenario));
  if (isJsonObject(data)) return data;
  throw new MigrationError('SCENARIO_INVALID', `${printable(scenario, 100)} is not a scenario`);
}
