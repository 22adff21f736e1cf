import { relative, resolve } from 'node:path';
import { Option } from 'commander';
import { type DetectedProvider } from '../../actions/detect-provider';
import { type GenerateResult } from '../../actions/generate';
import { type RulesetSource } from '../../actions/read-source';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { type CliCommand, type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { DEFAULT_ADDRESS, parseRulesetAddress } from '../ruleset-address';
import { readTranslated } from '../read-translated';
import { type OldSettingsOptions, withOldSettings } from '../old-settings-options';
import { type ServiceOptions, withClient, withService } from '../service-options';
import { requireZone, withZone, type ZoneOption } from '../zone-option';

interface GenerateOptions extends ServiceOptions, ZoneOption, OldSettingsOptions {
  readonly source: RulesetSource | 'state' | 'old';
  readonly config?: string;
  readonly provider?: '3' | '4' | '5';
  readonly format: 'cdktf' | 'hcl' | 'tfjson';
  readonly out?: string;
  readonly address: string;
  readonly force?: boolean;
}

const majors = { 3: 3, 4: 4, 5: 5 } as const;

/** `generate`: emits the ruleset stack of a zone. */
export const generateCommand: CliCommand<GenerateOptions> = {
  name: 'generate',
  summary: 'emit the ruleset stack of a zone, as CDKTF, HCL or Terraform JSON',
  example: 'generate --zone 0123456789abcdef0123456789abcdef --format hcl --out waf',
  define: (command) =>
    withOldSettings(withService(withZone(command)))
      .addOption(
        new Option(
          '--source <source>',
          'auto: the config of a zone that has not moved, else the live entry point; state and old: translated from the old settings of a state, or of the old interfaces',
        )
          .choices(['auto', 'config', 'live', 'state', 'old'])
          .default('auto'),
      )
      .option('--config <file>', 'a saved answer of either, instead of asking the service')
      .addOption(
        new Option(
          '--provider <major>',
          'major of the Cloudflare provider (default: by lock file or package.json, else 5)',
        ).choices(['3', '4', '5']),
      )
      .addOption(
        new Option('--format <format>', 'output')
          .choices(['cdktf', 'hcl', 'tfjson'])
          .default('cdktf'),
      )
      .option('--out <dir>', 'output folder (default: stacks for cdktf, else the current folder)')
      .option('--address <address>', 'address of the resource', DEFAULT_ADDRESS)
      .option('--force', 'overwrite files that differ'),
  run: async (options, context) => {
    const { generate } = await import('../../actions/generate');
    const zoneId = requireZone(options);
    const resourceName = parseRulesetAddress(options.address);
    const { format, force = false } = options;
    const out = resolve(context.cwd, options.out ?? (format === 'cdktf' ? 'stacks' : '.'));
    const provider = await chooseProvider(options, out, context);
    const result = await generate({
      ...(await readInput(options, context, zoneId)),
      provider: provider.major,
      format,
      resourceName,
      out,
      force,
    });
    const files = result.files.map((path) => relative(context.cwd, path) || path);
    return report({ ...result, files }, provider);
  },
};

const origins: Readonly<Record<GenerateResult['source'], string>> = {
  live: 'the live entry point',
  config: 'the migration config (provisional until the zone has finished)',
  state: 'the old settings in the state (provisional: compare it with `report`)',
  old: 'the old settings of the zone (provisional: compare it with `report`)',
};

async function chooseProvider(
  { provider }: GenerateOptions,
  out: string,
  { cwd }: CliContext,
): Promise<DetectedProvider> {
  if (provider !== undefined) return { major: majors[provider], because: 'as --provider says' };
  const { detectProvider } = await import('../../actions/detect-provider');
  return detectProvider([...new Set([out, cwd])]);
}

async function readInput(
  options: GenerateOptions & CommonOptions,
  context: CliContext,
  zoneId: string,
) {
  const { source } = options;
  const hasState = options.state !== undefined || options.dir !== undefined;
  if (options.config !== undefined && (hasState || source === 'state' || source === 'old')) {
    throw new MigrationError('USAGE', '--config is an answer, and old settings are none: pass one');
  }
  if (hasState || source === 'state') {
    if (source !== 'auto' && source !== 'state') {
      throw new MigrationError('USAGE', `--source ${source} reads no state`);
    }
    return readTranslated(options, context, zoneId, 'state');
  }
  if (source === 'old') return readTranslated(options, context, zoneId, 'old');
  if (options.config !== undefined) {
    const { readSavedRuleset } = await import('../../actions/read-saved-ruleset');
    const path = resolve(context.cwd, options.config);
    return { zone: { id: zoneId }, source: await readSavedRuleset(path, source) };
  }
  return withClient(options, context, async (client) => {
    const { readSource } = await import('../../actions/read-source');
    const { readZone } = await import('../../cloudflare/zones');
    const { name } = await readZone(client, zoneId);
    return { zone: { id: zoneId, name }, source: await readSource(client, zoneId, source) };
  });
}

function report(result: GenerateResult, { because }: DetectedProvider): CommandResult {
  const { files, resource, provider, source, findings } = result;
  return {
    json: { ...result, providerBecause: because },
    text: [
      `Generated ${resource.address} from ${origins[source]}`,
      `for provider ${provider} (${printable(because)}):`,
      ...files.map((file) => `  ${printable(file)}`),
      ...(resource.importId === undefined
        ? []
        : [`Import it: terraform import ${resource.address} ${resource.importId}`]),
      ...renderFindings(findings),
    ].join('\n'),
    exitCode: findings.some(({ severity }) => severity !== 'info') ? 2 : 0,
  };
}
