import { relative, resolve } from 'node:path';
import { readZone } from '../../cloudflare/zones';
import { findingCodes, renderFindings } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { writeFiles } from '../../files/write-files';
import { manualSteps, constructSteps } from '../../generate/existing-project';
import { generate, type GenerateResult } from '../../generate/generate';
import {
  readSavedRuleset,
  readSource,
  type SourceRuleset,
  translateSource,
} from '../../generate/read-source';
import { readDeclarations } from '../../project/read-declarations';
import { pickZone } from '../../report/compare-zones';
import { readManagedIds } from '../../report/managed-rule-ids';
import { readLegacySettings } from '../../translate/source/settings-from-api';
import { readSettingsFromStates } from '../../translate/source/settings-from-state';
import { withClient } from '../client';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from '../context';
import { translateOptions } from '../legacy-settings';
import { forZones, type ZoneResult } from '../many-zones';
import { isFleet, type OldSettingsOptions, requireZone, type ServiceOptions } from '../options';
import { readStates } from '../terraform';
import {
  chooseTarget,
  filesBeside,
  type GenerateOptions,
  type GenerateTarget,
  requestOf,
  withGenerate,
} from './generate-target';

/** `generate`: emits the ruleset stack of a zone, or of many. */
export const generateCommand: CliCommand<GenerateOptions> = {
  example: 'generate --zone 0123456789abcdef0123456789abcdef --format hcl --out waf',
  define: withGenerate,
  run: async (options, context) => {
    const many = isFleet(options);
    const zoneId = many ? undefined : requireZone(options);
    const target = await chooseTarget(options, context, many);
    if (zoneId === undefined) {
      return generateMany(options, context, target);
    }
    const input = await readInput(options, context, zoneId);
    const beside = filesBeside(target);
    const result = await generate({ ...input, ...requestOf(target, options), beside });
    return report(result, target, context.cwd);
  },
};

/**
 * `generate` for many zones: their stacks lie beside each other, in one folder.
 * @throws MigrationError `USAGE`, and those of `forZones`
 */
async function generateMany(
  options: GenerateOptions,
  context: CliContext,
  target: GenerateTarget,
): Promise<CommandResult> {
  const { source, force = false } = options;
  const { config, state, dir, catalogue, managedRuleset } = options;
  const offline = { config, state, dir, catalogue, 'managed-ruleset': managedRuleset };
  const [flag] = Object.entries(offline).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) {
    throw new MigrationError('USAGE', `--${flag} is of one zone: of many the service is asked`);
  }
  if (source === 'state' || source === 'old') {
    throw new MigrationError('USAGE', `--source ${source} is for one zone at a time`);
  }
  const request = requestOf(target, options);
  // read once: with a thousand zones in the folder, each would read the files of all others
  const declared = await readDeclarations(target.out, target.format);
  const owners = new Map<string, string>();
  writeFiles(filesBeside(target), { force });
  return forZones(options, context, {
    stage: 'generate',
    // to overwrite or not decides nothing of the result
    request: { source, ...request, force: undefined },
    perform: async (client, zone) => {
      const read = await readSource(client, zone.id, source);
      const result = await generate({ ...request, zone, source: read, run: { declared, owners } });
      return report(result, target, context.cwd);
    },
  });
}

/** A zone, and the ruleset that its stack declares. */
interface GenerateInput {
  readonly zone: { readonly id: string; readonly name?: string };
  readonly source: SourceRuleset;
}

/**
 * Reads the ruleset of one zone from where the flags say: the service, a saved answer, old settings.
 * @throws MigrationError `USAGE`, and those of the source
 */
async function readInput(
  options: GenerateOptions,
  context: CliContext,
  zoneId: string,
): Promise<GenerateInput> {
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
    const path = resolve(context.cwd, options.config);
    return { zone: { id: zoneId }, source: await readSavedRuleset(path, source) };
  }
  return withClient(options, context, async (client) => {
    const { name } = await readZone(client, zoneId);
    return { zone: { id: zoneId, name }, source: await readSource(client, zoneId, source) };
  });
}

/**
 * The ruleset of a zone from its old settings: of states, without asking anybody, or of the old
 * interfaces.
 * @throws MigrationError `USAGE`, `STATE_…`, `OLD_SETTINGS_MISSING`, `RULESET_EMPTY`, and those of the client
 */
async function readTranslated(
  options: OldSettingsOptions & ServiceOptions & CommonOptions,
  context: CliContext,
  zoneId: string,
  from: 'state' | 'old',
): Promise<GenerateInput> {
  const told = await translateOptions(options, context);
  if (from === 'state') {
    if (options.state === undefined && options.dir === undefined) {
      throw new MigrationError('USAGE', '--source state needs the state: pass --state or --dir');
    }
    const { zones, findings } = readSettingsFromStates(await readStates(options, context));
    const settings = pickZone(zones, zoneId);
    const source = translateSource(settings, from, told);
    return {
      zone: { id: zoneId },
      source: { ...source, findings: [...findings, ...source.findings] },
    };
  }
  return withClient(options, context, async (client) => {
    const { name } = await readZone(client, zoneId);
    const { zones, findings } = await readLegacySettings(client, zoneId);
    const managedIds = told.managedIds ?? (await readManagedIds(client, zoneId));
    const settings = pickZone(zones, zoneId);
    const source = translateSource(settings, from, {
      ...told,
      ...(managedIds === undefined ? {} : { managedIds }),
    });
    return {
      zone: { id: zoneId, name },
      source: { ...source, findings: [...findings, ...source.findings] },
    };
  });
}

const origins: Readonly<Record<GenerateResult['source'], string>> = {
  live: 'the live entry point',
  config: 'the migration config (provisional until the zone has finished)',
  state: 'the old settings in the state (provisional: compare it with `report`)',
  old: 'the old settings of the zone (provisional: compare it with `report`)',
};

/** What `generate` says of one zone. */
export function report(generated: GenerateResult, target: GenerateTarget, cwd: string): ZoneResult {
  const { names, ...result } = generated;
  const { resource, provider, source, findings } = result;
  const { because } = target.provider;
  const files = result.files.map((path) => relative(cwd, path) || path);
  const isConstruct = target.format === 'construct';
  const added =
    target.existing === undefined ? undefined : manualSteps(target.existing, names, provider);
  const steps = isConstruct ? constructSteps(names) : added;
  const codes = findingCodes(findings);
  const shown = files.map((file) => printable(file));
  return {
    json: {
      ...result,
      files,
      providerBecause: because,
      ...(steps === undefined ? {} : { byHand: steps }),
    },
    text: [
      `Generated ${resource.address} from ${origins[source]}`,
      `for provider ${provider} (${printable(because)}):`,
      ...shown.map((file) => `  ${file}`),
      ...(steps === undefined || steps.length === 0
        ? []
        : ['Add by hand:', ...steps.map((one) => `  ${printable(one)}`)]),
      ...(resource.importId === undefined
        ? []
        : [`Import it: terraform import ${posixQuote(resource.address)} ${resource.importId}`]),
      ...renderFindings(findings),
    ].join('\n'),
    line: `${shown.join(', ')} from ${origins[source]}${codes === '' ? '' : `: ${codes}`}`,
    exitCode: findings.some(({ severity }) => severity !== 'info') ? 2 : 0,
  };
}
