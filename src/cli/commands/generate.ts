import { relative, resolve } from 'node:path';
import { Option } from 'commander';
import { type GenerateResult } from '../../actions/generate';
import { type RulesetSource } from '../../actions/read-source';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { type CliCommand, type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { type ServiceOptions, withClient, withService } from '../service-options';

interface GenerateOptions extends ServiceOptions {
  readonly zone: string;
  readonly source: RulesetSource;
  readonly config?: string;
  readonly provider: '3' | '4' | '5';
  readonly format: 'cdktf' | 'hcl' | 'tfjson';
  readonly out?: string;
  readonly address: string;
  readonly force?: boolean;
}

const ADDRESS = /^cloudflare_ruleset\.([A-Za-z_][A-Za-z0-9_-]*)$/;
const majors = { 3: 3, 4: 4, 5: 5 } as const;

/** `generate`: emits the ruleset stack of a zone. */
export const generateCommand: CliCommand<GenerateOptions> = {
  name: 'generate',
  summary: 'emit the ruleset stack of a zone, as CDKTF, HCL or Terraform JSON',
  example: 'generate --zone 0123456789abcdef0123456789abcdef --format hcl --out waf',
  define: (command) =>
    withService(command)
      .requiredOption('--zone <id>', 'zone id, 32 hexadecimal digits')
      .addOption(
        new Option(
          '--source <source>',
          'auto: the config of a zone that has not moved, else the live entry point',
        )
          .choices(['auto', 'config', 'live'])
          .default('auto'),
      )
      .option('--config <file>', 'a saved answer of either, instead of asking the service')
      .addOption(
        new Option('--provider <major>', 'major of the Cloudflare provider')
          .choices(['3', '4', '5'])
          .default('5'),
      )
      .addOption(
        new Option('--format <format>', 'output')
          .choices(['cdktf', 'hcl', 'tfjson'])
          .default('cdktf'),
      )
      .option('--out <dir>', 'output folder (default: stacks for cdktf, else the current folder)')
      .option('--address <address>', 'address of the resource', 'cloudflare_ruleset.managed_rules')
      .option('--force', 'overwrite files that differ'),
  run: async (options, context) => {
    const { parseZoneId } = await import('../../model/identifier');
    const { generate } = await import('../../actions/generate');
    const zoneId = parseZoneId(options.zone);
    const resourceName = ADDRESS.exec(options.address)?.[1];
    if (resourceName === undefined) {
      throw new MigrationError(
        'USAGE',
        `--address "${options.address}" is not cloudflare_ruleset.<name>`,
      );
    }
    const out = options.out ?? (options.format === 'cdktf' ? 'stacks' : '.');
    const { provider, format, force = false } = options;
    const result = await generate({
      ...(await readInput(options, context, zoneId)),
      provider: majors[provider],
      format,
      resourceName,
      out: resolve(context.cwd, out),
      force,
    });
    return report({
      ...result,
      files: result.files.map((path) => relative(context.cwd, path) || path),
    });
  },
};

async function readInput(
  options: GenerateOptions & CommonOptions,
  context: CliContext,
  zoneId: string,
) {
  if (options.config !== undefined) {
    const { readJsonFile } = await import('../../actions/read-json-file');
    const { parseRuleset } = await import('../../generate/parse-ruleset');
    return {
      zone: { id: zoneId },
      source: parseRuleset(await readJsonFile(resolve(context.cwd, options.config))),
    };
  }
  return withClient(options, context, async (client) => {
    const { readSource } = await import('../../actions/read-source');
    const { readZone } = await import('../../cloudflare/zones');
    const { name } = await readZone(client, zoneId);
    return { zone: { id: zoneId, name }, source: await readSource(client, zoneId, options.source) };
  });
}

function report(result: GenerateResult): CommandResult {
  const { files, resource, provider, source, findings } = result;
  const origin =
    source === 'live'
      ? 'the live entry point'
      : 'the migration config (provisional until the zone has finished)';
  return {
    json: result,
    text: [
      `Generated ${resource.address} for provider ${provider} from ${origin}:`,
      ...files.map((file) => `  ${printable(file)}`),
      ...(resource.importId === undefined
        ? []
        : [`Import it: terraform import ${resource.address} ${resource.importId}`]),
      ...renderFindings(findings),
    ].join('\n'),
    exitCode: findings.some(({ severity }) => severity !== 'info') ? 2 : 0,
  };
}
