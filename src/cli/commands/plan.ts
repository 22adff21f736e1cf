import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { type Client } from '../../cloudflare/client';
import { MigrationError } from '../../model/migration-error';
import { parseRulesetId, parseZoneId } from '../../model/identifier';
import { printable } from '../../model/printable';
import { type PlanFormatName } from '../../plan/formats/registry';
import { type PlannedState } from '../../plan/planned-state';
import { type CliCommand, type CommonOptions } from '../command';
import { type CliContext } from '../context';
import { type ServiceOptions, withClient, withService } from '../service-options';

interface PlanOptions extends ServiceOptions {
  readonly zone: readonly string[];
  readonly state?: string;
  readonly dir?: readonly string[];
  readonly rulesetId?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly address: string;
  readonly format: PlanFormatName;
  readonly out?: string;
  readonly terraform: string;
}

/** `plan`: the ordered steps for the state; changes nothing. */
export const planCommand: CliCommand<PlanOptions> = {
  name: 'plan',
  summary: 'the import and remove steps for the old resources of a state',
  example: 'plan --zone 0123456789abcdef0123456789abcdef --state terraform.tfstate --format sh',
  define: (command) =>
    withService(command)
      .requiredOption('--zone <id...>', 'zone ids, 32 hexadecimal digits each')
      .option('--state <file>', 'a state file, or - for standard input')
      .option('--dir <dir...>', 'Terraform folders: their state is pulled')
      .option('--ruleset-id <id...>', 'id of the entry point, or <zone>=<id>: works offline')
      .option('--from <version>', 'installed provider version (default: from the lock file)')
      .option('--to <version>', 'provider version to end with (default: the installed one)')
      .option('--address <address>', 'address of the ruleset', 'cloudflare_ruleset.managed_rules')
      .addOption(
        new Option('--format <format>', 'output').choices(['text', 'json', 'sh']).default('text'),
      )
      .option('--out <file>', 'file to write instead of standard output')
      .option('--terraform <path>', 'the Terraform binary', 'terraform'),
  run: async (options, context) => {
    const zones = [...new Set(options.zone.map(parseZoneId))];
    const rulesetIds = readRulesetIds(options.rulesetId ?? [], zones);
    const states = await readStates(options, context);
    const { plan } = await import('../../actions/plan');
    const { planFormats } = await import('../../plan/formats/registry');
    const request = { zones, rulesetIds, states, address: options.address };
    const offline = zones.every((zone) => rulesetIds.has(zone));
    const result = offline
      ? await plan({ ...request, client: noClient })
      : await withClient(options, context, (client) => plan({ ...request, client: () => client }));
    const exitCode = result.findings.some(({ severity }) => severity !== 'info') ? 2 : 0;
    const text = planFormats[options.format](result);
    if (options.out === undefined) {
      return options.format === 'text' || options.json
        ? { json: result, text: text.trimEnd(), exitCode }
        : { json: result, text: '', document: text, exitCode };
    }
    const { writeFiles } = await import('../../actions/write-files');
    await writeFiles([{ path: resolve(context.cwd, options.out), text }], { force: true });
    return { json: result, text: `wrote ${printable(options.out)}`, exitCode };
  },
};

function noClient(): Client {
  throw new MigrationError(
    'USAGE',
    'every zone has a ruleset id, so nothing is asked of the service',
  );
}

function readRulesetIds(given: readonly string[], zones: readonly string[]): Map<string, string> {
  const [only] = zones;
  return new Map(
    given.map((text): [string, string] => {
      const [left = '', right] = text.split('=');
      if (right !== undefined) return [parseZoneId(left), parseRulesetId(right)];
      if (zones.length === 1 && given.length === 1 && only !== undefined)
        return [only, parseRulesetId(left)];
      throw new MigrationError('USAGE', 'with several zones, --ruleset-id takes <zone>=<id>');
    }),
  );
}

async function readStates(
  options: PlanOptions & CommonOptions,
  context: CliContext,
): Promise<PlannedState[]> {
  const { readStateBytes, readStateOfDir } = await import('../../actions/read-state');
  const { parseProviderVersion } = await import('../../plan/provider-version');
  const versions = {
    from: options.from === undefined ? undefined : parseProviderVersion(options.from),
    to: options.to === undefined ? undefined : parseProviderVersion(options.to),
  };
  const { state, dir = [] } = options;
  if ((state === undefined) === (dir.length === 0)) {
    throw new MigrationError('USAGE', 'pass either --state or --dir');
  }
  if (state !== undefined) {
    const bytes =
      state === '-' ? await context.readStdin() : await readStateFile(resolve(context.cwd, state));
    return [readStateBytes(bytes, context.environment['TF_WORKSPACE'] ?? 'default', versions)];
  }
  const terraform = { binary: options.terraform, environment: context.environment };
  const states: PlannedState[] = [];
  for (const one of dir) {
    states.push(await readStateOfDir(resolve(context.cwd, one), terraform, versions, context.cwd));
  }
  return states;
}

async function readStateFile(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new MigrationError('STATE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
}
