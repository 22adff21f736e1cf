import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Client } from '../../../cloudflare/client';
import { REPORT_FORMATS, type ReportFormatName } from '../../../core/format-names';
import { type Finding, findingCodes, isBlocker } from '../../../core/finding';
import { isIdentifier } from '../../../core/identifier';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { settingsBackupFile } from '../../../files/backups';
import { writeFiles } from '../../../files/write-files';
import { overviewOf, renderReportIndex, type ZoneOverview } from '../../../report/formats/html';
import { readSavedRuleset } from '../../../generate/read-source';
import {
  pickZone,
  pickZones,
  reportAgainstApi,
  reportOurs,
  withFindings,
} from '../../../report/compare-zones';
import { reportFormats } from '../../../report/formats/registry';
import { describeReport } from '../../../report/formats/words';
import { hasDecisions, type Report, reportDocument, type ZoneReport } from '../../../report/report';
import { builtInCatalogue } from '../../../translate/catalogue/catalogue';
import { type LegacySettings, type ReadSettings } from '../../../translate/source/legacy-settings';
import { readLegacySettings } from '../../../translate/source/settings-from-api';
import { compareZone } from '../../../translate/translate-zone';
import { readSettingsFromStates } from '../../../translate/source/settings-from-state';
import { check } from '../../../zone/check';
import { readSavedSettings } from '../../../zone/finish-backup';
import { withClient } from '../../client';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { forZones, reportLine, REVIEW } from '../../many-zones/for-zones';
import {
  commandOf,
  CONFIG,
  isFleet,
  OUT_OF_MANY,
  refuseForMany,
  sameZones,
  STATES,
  ZONES,
} from '../../options';
import { formatOf, madeNow, writeOrPrint } from '../../output';
import { readRawStates } from '../../terraform';
import { givenZones, type KnownZone, knownZones } from '../../zones';

const flags = defineFlags({
  ...ZONES,
  ...STATES,
  '--backup <file>': 'read the legacy settings that finish saved',
  ...CONFIG,
  '--against <ruleset>': {
    summary: 'ruleset to compare with',
    choices: ['auto', 'config', 'live', 'ours'],
    usual: 'auto',
  },
  '--format <format>': { summary: 'output', choices: REPORT_FORMATS, usual: 'text' },
  ...OUT_OF_MANY,
});

type ReportOptions = OptionsOf<typeof flags>;

export const reportCommand = defineCommand({
  example: 'report --dir . --format html --out report.html',
  flags,
  run: async (options, context) => {
    const { backup, config, against } = options;
    if (isFleet(options)) return reportList(options, context);
    if (backup !== undefined && (options.state ?? options.dir) !== undefined) {
      throw new MigrationError('USAGE', 'pass one of --state, --dir and --backup');
    }
    if (config !== undefined && against !== 'auto') {
      throw new MigrationError('USAGE', '--config is what to compare with: leave out --against');
    }
    const report = await readReport(options, context);
    const exitCode = hasDecisions(report) ? (2 as const) : (0 as const);
    const json = reportDocument(report);
    const next = nextOf(report, options);
    const before = exitCode === 2 ? REVIEW : undefined;
    const result = writeOrPrint({ json, next, before, exitCode }, options, context, () =>
      reportFormats[formatOf(options, context)](report, madeNow(context)),
    );
    return options.out === undefined
      ? result
      : { ...result, text: `${result.text}\n${describeReport(report)}` };
  },
});

function nextOf({ zones }: Report, options: ReportOptions): string {
  const { zone, state, backup } = options;
  const ids = zones.map(({ zoneId }) => zoneId);
  // the API has further settings of the zones of a folder; other files can be of zones that have migrated
  if (isFromFiles(options)) {
    return commandOf((state ?? backup) === undefined ? 'report' : 'status', '', { zone: ids });
  }
  // without the zones that have migrated
  const named = zone?.length === ids.length ? zone : ids;
  const [validation] = zones.flatMap((one, at) => validationOf(one, named[at]) ?? []);
  return validation ?? commandOf('finish', '', { zone: named });
}

/** The command that compares both WAFs before `finish`; undefined if the zone has no validation mode. */
function validationOf({ validation }: ZoneReport, zone: string | undefined): string | undefined {
  if (validation === undefined) return undefined;
  return validation === 'on'
    ? commandOf('review', '', { zone, since: '6h' })
    : commandOf('start-validation', '', { zone, 'log-only': true });
}

/** Whether the legacy settings come from files; without `--zone`, from the state of this folder. */
function isFromFiles({ state, dir, backup, zone, zones, account }: ReportOptions): boolean {
  return (state ?? dir ?? backup) !== undefined || (zone ?? zones ?? account) === undefined;
}

/** Compares the settings of one or several zones. The API is called only for what the files lack. */
async function readReport(options: ReportOptions, context: CliContext): Promise<Report> {
  const given = givenZones(options);
  const isFile = isFromFiles(options);
  const against = options.against === 'auto' && given.length === 0 ? 'ours' : options.against;
  const isOffline =
    isFile && given.every(isIdentifier) && (options.config !== undefined || against === 'ours');
  const collect = async (client?: Client): Promise<Report> => {
    const known = await knownZones(given, client);
    const { zones, findings } =
      client === undefined || isFile
        ? await readFiles(known, options, context)
        : await readFromApi(client, known, context);
    if (options.config !== undefined && zones.length > 1) {
      throw new MigrationError('USAGE', '--config is for one zone: pass its --zone');
    }
    const reports = [];
    for (const settings of zones) {
      const zone = known.find(({ id }) => id === settings.zoneId);
      reports.push(await compare(settings, { ...options, against }, context, client, zone));
    }
    return withFindings(reports, findings);
  };
  return isOffline ? collect() : withClient(options, context, collect);
}

async function compare(
  settings: LegacySettings,
  { config, against }: ReportOptions,
  { cwd }: CliContext,
  client: Client | undefined,
  zone?: KnownZone,
): Promise<ZoneReport> {
  if (config !== undefined) {
    const { ruleset } = await readSavedRuleset(resolve(cwd, config), 'auto');
    const comparison = compareZone(settings, ruleset, { catalogue: builtInCatalogue() });
    return { ...comparison, against: `the saved answer ${printable(config, 200)}` };
  }
  return against === 'ours' || client === undefined
    ? reportOurs(settings)
    : reportAgainstApi(client, settings, against, zone);
}

async function readFiles(
  known: readonly KnownZone[],
  options: ReportOptions,
  context: CliContext,
): Promise<ReadSettings> {
  const ids = known.map(({ id }) => id);
  if (options.backup !== undefined) {
    const saved = await readSavedSettings(resolve(context.cwd, options.backup));
    return { ...saved, zones: pickZones(saved.zones, ids) };
  }
  const { zones, findings } = readSettingsFromStates(await readRawStates(options, context));
  return { zones: pickZones(zones, ids), findings: [ONLY_OF_STATE, ...findings] };
}

const ONLY_OF_STATE: Finding = {
  code: 'SETTINGS_OF_STATE',
  severity: 'info',
  subject: 'state',
  message: 'a zone can have further legacy settings, which Terraform does not manage',
  remedy: 'compare all settings of a zone:\ncf-waf-migrate report --zone <id or name>',
};

/** Of several zones, those that have migrated are left out. */
async function readFromApi(
  client: Client,
  known: readonly KnownZone[],
  context: CliContext,
): Promise<ReadSettings> {
  const read = [];
  for (const { id } of known) {
    const reading = readLegacySettings(client, id);
    const one = await (known.length === 1 ? reading : reading.catch(whenMigrated));
    if (one === undefined) context.notify(`zone ${id} is ${describeMigrated(id, context)}`);
    else read.push(one);
  }
  if (read.length === 0) {
    throw new MigrationError('OLD_SETTINGS_MISSING', 'all of these zones have migrated');
  }
  return {
    zones: read.flatMap(({ zones }) => zones),
    findings: read.flatMap(({ findings }) => findings),
  };
}

const ENDINGS: Readonly<Record<ReportFormatName, string>> = {
  text: 'txt',
  json: 'json',
  markdown: 'md',
  html: 'html',
};

/** `report` for a list of zones: one file for each, in one folder. `fleet status` shows the totals. */
async function reportList(options: ReportOptions, context: CliContext): Promise<CommandResult> {
  const { out, force = false } = options;
  const format = formatOf(options, context);
  const { config, state, dir, backup } = options;
  refuseForMany({ config, state, dir, backup });
  if (out === undefined) {
    throw new MigrationError('USAGE', 'pass a folder for the reports: --out <dir>', {
      hint: `run:\ncf-waf-migrate ${reportLine(options)}`,
    });
  }
  const overviews = new Map<string, ZoneOverview>();
  const validations: string[] = [];
  return forZones(options, context, {
    stage: 'report',
    // without a report, no zone is left to finish
    next: () => commandOf(overviews.size === 0 ? 'status' : 'finish', '', sameZones(options)),
    repeats: () => false,
    before: (usual) =>
      validations.length === 0
        ? usual
        : { task: 'the comparison in validation mode', commands: validations },
    perform: async (client, zone) => {
      const { id, name = id } = zone;
      const read = await readLegacySettings(client, id).catch(whenMigrated);
      if (read === undefined) {
        const line = describeMigrated(id, context);
        return { json: null, text: line, line, exitCode: 0 };
      }
      const settings = pickZone(read.zones, id);
      const compared = await compare(settings, options, context, client, zone).catch(
        (error: unknown) => blockersOf(client, id, error),
      );
      if ('blockers' in compared) {
        const { blockers: open } = compared;
        const line = `cannot migrate: ${findingCodes(open)}`;
        return { json: { findings: open }, text: line, line, open, exitCode: 2 };
      }
      const report = withFindings([compared], read.findings);
      // by id, because a name can change, and may not be a valid file name
      const file = join(out, `${id}.${ENDINGS[format]}`);
      writeOrPrint({ json: report, exitCode: 0 }, { format, out: file, force }, context, () =>
        reportFormats[format](report, madeNow(context)),
      );
      const line = `${describeReport(report)}: wrote ${printable(file)}`;
      const { summary, decisions } = overviewOf(compared);
      overviews.set(id, { name, href: `${id}.html`, summary, decisions });
      validations.push(...[validationOf(compared, name) ?? []].flat());
      const json = { files: [file], against: compared.against, summary, decisions };
      return { json, text: line, line, exitCode: hasDecisions(report) ? 2 : 0 };
    },
    conclude: (outcomes, refused) => {
      if (format !== 'html') return [];
      const zones = outcomes.flatMap(({ zone }) => overviews.get(zone) ?? []);
      const failed = outcomes.filter(({ zone }) => !overviews.has(zone));
      const missing = [
        ...refused.map(({ error }) => error.message),
        ...failed.map(({ name, line }) => `${name}: ${line}`),
      ];
      if (zones.length === 0) return ['no index.html is written: this run has no report'];
      return [writeIndex(join(out, 'index.html'), zones, missing, force, context)];
    },
  });
}

/**
 * The blockers of a zone without a migration configuration.
 * @throws unknown the error, if nothing blocks the zone
 */
async function blockersOf(client: Client, zoneId: string, error: unknown) {
  if (!(error instanceof MigrationError) || error.code !== 'API_REFUSED') throw error;
  const checked = await check(client, zoneId).catch(() => undefined);
  const blockers = checked?.findings.filter(isBlocker) ?? [];
  if (blockers.length === 0) throw error;
  return { blockers };
}

function writeIndex(
  file: string,
  zones: readonly ZoneOverview[],
  missing: readonly string[],
  force: boolean,
  context: CliContext,
): string {
  const text = renderReportIndex(zones, missing, madeNow(context));
  writeFiles([{ path: resolve(context.cwd, file), text }], {
    force,
    mayReplace: (old) => old.includes('<meta name="generator" content="cf-waf-migrate">'),
  });
  return `wrote ${printable(file)}`;
}

/** A migrated zone of a list: `finish` may have saved its settings. */
function describeMigrated(zoneId: string, { cwd }: CliContext): string {
  const backup = settingsBackupFile(zoneId);
  const saved = existsSync(resolve(cwd, backup)) ? `: run report --backup ${backup}` : '';
  return `already migrated: the legacy API no longer has its settings${saved}`;
}

/** A migrated zone of a list is no failure. */
function whenMigrated(error: unknown): undefined {
  if (!(error instanceof MigrationError && error.code === 'OLD_SETTINGS_MISSING')) throw error;
}
