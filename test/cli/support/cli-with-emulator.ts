import { type Emulator, startEmulator } from '../../../src/emulator/emulator';
import { environmentOf } from '../../support/cli-over';
import { type CliOptions, type CliRun, runCli } from '../../support/run-cli';

export { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, PRO } from '../../support/zones';
export const UNKNOWN = 'f'.repeat(32);

/** The command line with an emulator. */
export interface CliWithEmulator {
  emulator(): Emulator;
  /** Runs a command line with the emulator's address and token in its environment. */
  run(args: string[], options?: CliOptions): Promise<CliRun>;
  /** The same, its standard output parsed as the one document that it has to be. */
  json(args: string[], options?: CliOptions): Promise<CliRun & { document: any }>;
}

/**
 * Starts an emulator for each test of a file or `describe`: what a test writes, and the requests and faults
 * that it leaves, never reach another one, whatever the order.
 * @param scenario a name, or a scenario as JSON
 */
export function cliWithEmulator(scenario: string | object = 'demo'): CliWithEmulator {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ scenario });
  });
  afterEach(() => emulator.stop());
  const run = (args: string[], options: CliOptions = {}): Promise<CliRun> =>
    runCli(args, {
      ...options,
      environment: { ...environmentOf(emulator), ...options.environment },
    });
  return {
    emulator: () => emulator,
    run,
    json: async (args, options) => {
      const ran = await run([...args, '--json'], options);
      return { ...ran, document: JSON.parse(ran.stdout) };
    },
  };
}

export interface RenderedError {
  code: string;
  message: string;
  hint: string;
  causes: string[];
}

/** The error that a command with `--json` prints: one document on standard error, nothing beside it. */
export function errorOf({ stdout, stderr }: CliRun): RenderedError {
  expect(stdout).toBe('');
  const document: { error: RenderedError } = JSON.parse(stderr);
  return document.error;
}
