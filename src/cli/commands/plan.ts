import { dirname, resolve } from 'node:path';
import { Option } from 'commander';
import { type Client } from '../../cloudflare/client';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type PlanFormatName } from '../../plan/formats/registry';
import { type Method, type Plan } from '../../plan/plan';
import { type CliCommand } from '../command';
import { type CliContext } from '../context';
import { readPlannedStates, type StateOptions } from '../read-planned-states';
import { type PlanZoneOptions, readPlanZones } from '../read-plan-zones';
import { readRulesetIds } from '../read-ruleset-ids';
import { DEFAULT_ADDRESS, parseRulesetAddress } from '../ruleset-address';
import { type ServiceOptions, withClient, withService } from '../service-options';
import { withTerraform } from '../terraform-options';

interface PlanOptions extends ServiceOptions, StateOptions, PlanZoneOptions {
  readonly rulesetId?: readonly string[];
  readonly address: string;
  readonly format: PlanFormatName;
  readonly out?: string;
  readonly force?: boolean;
  readonly method: Method | 'auto';
  readonly write?: boolean;
}

/** `plan`: the ordered steps for the state; changes nothing. */
export const planCommand: CliCommand<PlanOptions> = {
  name: 'plan',
  summary: 'the import and remove steps for the old resources of a state',
  example: 'plan --zone 0123456789abcdef0123456789abcdef --state terraform.tfstate --format sh',
  passesArguments: true,
  define: (command) =>
    withTerraform(withService(command))
      .option('--zone <id...>', 'zone ids; without one: what keeps Terraform from planning')
      .option('--zones <file>', 'many zones: ids or names, one a line or CSV')
      .option('--state <file>', 'a state file, or - for standard input')
      .option('--dir <dir...>', 'Terraform folders: their state is pulled')
      .option('--ruleset-id <id...>', 'id of the entry point, or <zone>=<id>: works offline')
      .option('--from <version>', 'installed provider version (default: from the lock file)')
      .option('--to <version>', 'provider version to end with (default: the installed one)')
      .option('--address <address>', 'address of the ruleset', DEFAULT_ADDRESS)
      .addOption(
        new Option('--format <format>', 'output')
          .choices(['text', 'json', 'sh', 'powershell', 'markdown'])
          .default('text'),
      )
      .option('--out <file>', 'file to write instead of standard output')
      .option('--force', 'overwrite a file that is no plan')
      .addOption(
        new Option('--method <method>', 'blocks: one edit for a pull request, and one saved plan')
          .choices(['auto', 'commands', 'blocks'])
          .default('auto'),
      )
      .option('--write', 'make the edits of method blocks in the configuration'),
  run: async (options, context) => {
    const zones = await readPlanZones(options, context);
    refuseWithoutZone(options);
    const rulesetIds = readRulesetIds(options.rulesetId ?? [], zones);
    parseRulesetAddress(options.address);
    const { parseTerraformFlags } = await import('../../plan/terraform-flags');
    const flags = parseTerraformFlags(context.passedArguments);
    const out = options.out === undefined ? undefined : resolve(context.cwd, options.out);
    if (out !== undefined && options.state !== undefined && options.state !== '-') {
      if (resolve(context.cwd, options.state) === out) {
        throw new MigrationError('USAGE', '--out is the state itself');
      }
    }
    const states = await readPlannedStates(options, context, out ? dirname(out) : context.cwd);
    const { plan } = await import('../../actions/plan');
    const { method } = options;
    if (options.write && method !== 'blocks') {
      throw new MigrationError('USAGE', '--write goes with --method blocks');
    }
    const request = { zones, rulesetIds, states, address: options.address, flags, method };
    // nothing old, nothing to ask: not even credentials are needed
    const offline =
      zones.every((zone) => rulesetIds.has(zone)) ||
      states.every(({ oldResources }) => oldResources.length === 0);
    const result = offline
      ? await plan({ ...request, client: noClient })
      : await withClient(options, context, (client) => plan({ ...request, client: () => client }));
    const exitCode = result.findings.some(({ severity }) => severity !== 'info') ? 2 : 0;
    const folder = out === undefined ? context.cwd : dirname(out);
    if (options.write) await writeEdits(result, folder, context);
    if (out === undefined && options.json) return { json: result, text: '', exitCode };
    const { isPlanText, planFormats } = await import('../../plan/formats/registry');
    const text = planFormats[options.format](result);
    if (out === undefined) {
      return options.format === 'text'
        ? { json: result, text: text.trimEnd(), exitCode }
        : { json: result, text: '', document: text, exitCode };
    }
    const { writeFiles } = await import('../../actions/write-files');
    writeFiles([{ path: out, text }], { force: options.force ?? false, mayReplace: isPlanText });
    return { json: result, text: `wrote ${printable(options.out ?? out)}`, exitCode };
  },
};

/** Without a zone nothing is imported, and no provider changes: what asks for it is refused. */
function refuseWithoutZone({ zone, zones, rulesetId, method, to }: PlanOptions): void {
  if (zone !== undefined || zones !== undefined) return;
  const [flag] = [
    ...(rulesetId === undefined ? [] : ['--ruleset-id']),
    ...(method === 'auto' ? [] : ['--method']),
    ...(to === undefined ? [] : ['--to']),
  ];
  if (flag === undefined) return;
  throw new MigrationError('USAGE', `${flag} needs the zone: pass --zone <id>`);
}

/** Makes the edits of a plan: what a pull request holds. */
async function writeEdits({ steps }: Plan, folder: string, context: CliContext): Promise<void> {
  const { applyEdits } = await import('../../actions/apply-edits');
  const edits = steps.flatMap((step) => step.edits ?? []);
  for (const path of await applyEdits(edits, folder)) context.stderr(`wrote ${printable(path)}\n`);
}

function noClient(): Client {
  throw new MigrationError(
    'USAGE',
    'every zone has a ruleset id, so nothing is asked of the service',
  );
}
