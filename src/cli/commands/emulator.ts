import { types } from 'node:util';
import { Option } from 'commander';
import { MigrationError } from '../../model/migration-error';
import { type CliCommand } from '../command';

/** `emulator`: the service on this machine. */
export const emulatorCommand: CliCommand<{ port: string; scenario: string }> = {
  name: 'emulator',
  summary: 'run the service on this machine; prints one JSON line when it listens',
  example: 'emulator --port 8787 --scenario enterprise',
  define: (command) =>
    command
      .addOption(
        new Option('--port <number>', 'port on 127.0.0.1; 0 takes a free one').default('0'),
      )
      .option(
        '--scenario <name|file>',
        'a built-in scenario, or a file in the format of docs/emulator.md',
        'demo',
      ),
  run: async ({ port, scenario }, context) => {
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new MigrationError('USAGE', `--port "${port}" is not a port number`);
    }
    const { readJsonFile } = await import('../../actions/read-json-file');
    const { startEmulator } = await import('../../emulator/emulator');
    const data = scenario.endsWith('.json') ? await readJsonFile(scenario) : scenario;
    if (typeof data !== 'string' && (typeof data !== 'object' || data === null)) {
      throw new MigrationError('SCENARIO_INVALID', `${scenario} is not a scenario`);
    }
    const emulator = await startEmulator({ port: Number(port), scenario: data }).catch(
      (cause: unknown) => {
        const taken = types.isNativeError(cause) && 'code' in cause;
        const message = taken
          ? `cannot listen on port ${port}`
          : `cannot start scenario ${scenario}`;
        throw new MigrationError(taken ? 'EMULATOR_PORT' : 'SCENARIO_INVALID', message, { cause });
      },
    );
    const { baseUrl, zones, environment } = emulator;
    context.stdout(`${JSON.stringify({ baseUrl, zones, environment })}\n`);
    await context.untilInterrupted();
    await emulator.stop();
    return { json: undefined, text: '', document: '', exitCode: 0 };
  },
};
