import { type Plan } from '../../src/plan/plan-schema';
import { planOnce } from './plans';
import { type Mirror } from './provider/mirror';
import { type CliRun, type Line, runCli } from './run-cli';
import { quickTerraform, runIn } from './terraform';
import { type ProcessRun } from './run-process';
import { inWorld, type World, type WorldOptions } from './world';

/** A world whose provider Terraform installs from a mirror: lock file and constraints are real. */
export interface InstalledWorld extends World {
  environment: Record<string, string>;
  run: (...args: string[]) => Promise<ProcessRun>;
  /** Sets the constraint of the provider: what a user does before an upgrade. */
  require: (version: string) => void;
  cli: (line: Line) => Promise<CliRun>;
  /** Plans for the first zone, into `plan.json`; arguments for Terraform come last. */
  makePlan: (...flags: string[]) => Promise<Plan>;
}

/** As {@link inWorld}, with the provider of a version installed. */
export function inInstalledWorld(
  mirror: Mirror,
  options: WorldOptions & { version: string },
  use: (world: InstalledWorld) => Promise<void>,
): Promise<void> {
  return inWorld({ ...options, isInstalled: true }, async (world) => {
    const { lab } = world;
    const environment = {
      ...quickTerraform,
      ...mirror.env,
      CLOUDFLARE_BASE_URL: lab.emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: lab.emulator.credentials.token,
    };
    const require = (version: string): void => {
      const cloudflare = { source: 'cloudflare/cloudflare', version };
      lab.write('provider.tf', '');
      lab.write('provider.tf.json', {
        terraform: { required_providers: { cloudflare } },
        provider: { cloudflare: {} },
      });
    };
    require(options.version);
    const run = (...args: string[]): Promise<ProcessRun> =>
      runIn(lab.dir, 'terraform', args, environment);
    const made = await run('init');
    if (made.code !== 0) throw new Error(made.stderr);
    await use({
      ...world,
      environment,
      run,
      require,
      cli: (line) => runCli(line, { cwd: lab.dir, environment }),
      makePlan: (...flags) => planOnce(world, ['--force', ...flags], environment, [0, 2]),
    });
  });
}
