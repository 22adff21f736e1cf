import { dirname, relative, resolve } from 'node:path';
import { type Client } from '../../../cloudflare/client';
import { readKnownZones } from '../../../cloudflare/zones';
import { isProgram } from '../../../core/format-names';
import { MigrationError } from '../../../core/migration-error';
import { generate, type GenerateRequest, type GenerateResult } from '../../../generate/generate';
import {
  readSavedRuleset,
  readSource,
  type SourceRuleset,
  translateSource,
} from '../../../generate/read-source';
import { firstLines } from '../../../plan/formats/text';
import { textDiff } from '../../../tfconfig/unified-diff';
import { pickZone } from '../../../report/compare-zones';
import { rootModuleOf } from '../../../project/read-configuration';
import { isOfZone, readDeclarations } from '../../../project/declarations';
import { type TranslateOptions } from '../../../translate/reading/legacy-zone';
import { type ReadSettings } from '../../../translate/source/legacy-settings';
import {
  readLegacySettings,
  readTranslateOptions,
} from '../../../translate/source/settings-from-api';
import { readSettingsFromStates } from '../../../translate/source/settings-from-state';
import { hasCredentials, withClient } from '../../client';
import { applyLine } from '../../plans/plan-text';
import { type CliContext, defineCommand } from '../../context';
import { isList, OF_MANY, refuseForOne } from '../../options';
import { findLatestRun } from '../../plans/earlier-run';
import { readRawStates } from '../../terraform';
import { givenZones, readZones, spelt, withZoneClient } from '../../zones';
import { chooseTarget, GENERATE, type GenerateOptions, type GenerateTarget } from './target';
import { generateMany } from './generate-many';
import { isInitialised, renderGenerated } from './render-generated';

export const generateCommand = defineCommand({
  example: 'generate --zone example.com --format hcl --out waf',
  flags: GENERATE,
  run: async (options, context) => {
    const given = givenZones(options);
    // read once, and only if needed, because it may be standard input
    let settings: Promise<ReadSettings> | undefined;
    const readSettings = (): Promise<ReadSettings> =>
      (settings ??= readRawStates(options, context).then(readSettingsFromStates));
    const zones = isList(options) || given.length > 0 ? given : zonesIn(await readSettings());
    const [zone, another] = zones;
    const isMany = zone === undefined || another !== undefined;
    const target = await chooseTarget(options, context, isMany);
    if (isMany) {
      return generateMany(isList(options) ? options : { ...options, zone: zones }, context, target);
    }
    refuseForOne(options, OF_MANY);
    const input = await readInput(options, context, zone, readSettings);
    const { request, beside } = target;
    const result = await generate({
      ...input,
      ...request,
      beside,
      onDiffer: (path, present, text) => {
        const diff = textDiff(relative(context.cwd, path), present, text)?.trimEnd().split('\n');
        firstLines(diff ?? [], 60).forEach(context.notify);
      },
    });
    // a manual step of an interrupted run generates, and a later one imports
    const isLive = result.resource.importId !== undefined;
    const run = isLive ? await findLatestRun(context) : undefined;
    const resume = run?.progress === 'begun' ? applyLine('', run.plan) : undefined;
    const { modulePath, out } = request;
    const root = modulePath === '' ? out : await rootModuleOf(out);
    const above = isLive ? await declaredAbove(request, input.zone.id, result) : undefined;
    return renderGenerated(result, {
      zone: spelt(options, input.zone.id),
      target,
      options,
      cwd: context.cwd,
      resume,
      root,
      above,
    });
  },
});

/** Reads the ruleset of one zone from the source that the flags select: the API, a saved answer, or legacy settings. */
async function readInput(
  options: GenerateOptions,
  context: CliContext,
  zone: string,
  readSettings: () => Promise<ReadSettings>,
): Promise<Pick<GenerateRequest, 'zone' | 'source'>> {
  const { source, config } = options;
  const hasState = options.state !== undefined || options.dir !== undefined;
  if (config !== undefined && (hasState || source === 'state' || source === 'old')) {
    throw new MigrationError('USAGE', 'pass either --config, or a source of legacy settings');
  }
  if (source === 'state' || (hasState && source === 'auto')) {
    const [known = { id: zone }] = await readZones([zone], options, context);
    const read = (client?: Client) => readTranslateOptions(client, known.id);
    const translateOptions = await (hasCredentials(options, context)
      ? withClient(options, context, read)
      : read());
    const settings = await readSettings();
    return { zone: known, source: translated(settings, known.id, 'state', translateOptions) };
  }
  if (hasState) throw new MigrationError('USAGE', `--source ${source} reads no state`);
  if (config !== undefined && source !== 'old') {
    const [known = { id: zone }] = await readZones([zone], options, context);
    return { zone: known, source: await readSavedRuleset(resolve(context.cwd, config), source) };
  }
  return withZoneClient({ ...options, zone: [zone] }, context, async (client, id) => {
    // a token for rulesets may not read the zone
    const known = (await readKnownZones(client, [id])).get(id) ?? { id };
    if (source !== 'old') return { zone: known, source: await readSource(client, id, source) };
    const settings = await readLegacySettings(client, id);
    const translateOptions = await readTranslateOptions(client, id);
    return { zone: known, source: translated(settings, id, 'old', translateOptions) };
  });
}

function translated(
  { zones, findings }: ReadSettings,
  id: string,
  from: 'state' | 'old',
  options: TranslateOptions,
): SourceRuleset {
  const source = translateSource(pickZone(zones, id), from, options);
  return { ...source, findings: [...findings, ...source.findings] };
}

/** The root module of the folder around an example, if it declares the ruleset; undefined if it does not. */
async function declaredAbove(
  { out, format }: GenerateTarget['request'],
  zoneId: string,
  { resource }: GenerateResult,
): Promise<string | undefined> {
  const above = dirname(out);
  if (isProgram(format) || isInitialised(out)) return undefined;
  const declared = await readDeclarations(above, format).catch(() => []);
  const isSame = declared.some(({ entryPoints }) =>
    entryPoints.some((one) => isOfZone(one, zoneId) ?? resource.address.endsWith(`.${one.name}`)),
  );
  return isSame ? ((await rootModuleOf(above)) ?? above) : undefined;
}

function zonesIn({ zones }: ReadSettings): string[] {
  const ids = zones.map(({ zoneId }) => zoneId);
  if (ids.length > 0) return ids;
  const message = 'the state has no legacy resource of a zone: pass --zone <id or name>';
  throw new MigrationError('USAGE', message);
}
