import { dirname, resolve } from 'node:path';
import { secureBackupFolder } from '../../../apply/journal/secure-backup-folder';
import { type Client } from '../../../cloudflare/client';
import { CONNECTIONS } from '../../../cloudflare/rate-limiter';
import { type KnownZone } from '../../../cloudflare/zones';
import { type Finding } from '../../../core/finding';
import { isIdentifier } from '../../../core/identifier';
import { mapConcurrently } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { BACKUP_FOLDER, settingsBackupFile } from '../../../files/backups';
import { withSavedOverrides } from '../../../firewall/overrides';
import { readSavedRuleset } from '../../../generate/read-source';
import { reportFormats } from '../../../report/formats/registry';
import { describeReport } from '../../../report/formats/words';
import {
  pickZones,
  reportAgainst,
  reportByStatus,
  withFindings,
} from '../../../report/compare-zones';
import { hasDecisions, type Report, reportDocument, type ZoneReport } from '../../../report/report';
import { type LegacySettings, type ReadSettings } from '../../../translate/source/legacy-settings';
import {
  readLegacySettings,
  readTranslateOptions,
} from '../../../translate/source/settings-from-api';
import { compareZone } from '../../../translate/translate-zone';
import { readSettingsFromStates } from '../../../translate/source/settings-from-state';
import { readSavedSettings } from '../../../zone/finish-backup';
import { hasCredentials, withClient } from '../../client';
import { type CliContext, defineCommand } from '../../context';
import { REVIEW } from '../../fleet/next-of-list';
import { commandOf, isList, refuseForOne } from '../../options';
import { formatOf, madeNow, writeOrPrint } from '../../output';
import { readRawStates } from '../../terraform';
import { givenZones, knownZones } from '../../zones';
import {
  REPORT,
  reportList,
  type ReportOptions,
  validationOf,
  whenMigrated,
} from './report-of-list';

export const reportCommand = defineCommand({
  example: 'report --dir . --format html --out report.html',
  flags: REPORT,
  run: async (options, context) => {
    if (isList(options)) return reportList(options, context);
    refuseForOne(options);
    // a pull request could add settings there
    if (options.backup === undefined) await secureBackupFolder(context.cwd, context);
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
  const ids = zones.map(({ zoneId }) => zoneId);
  if (isFromFiles(options)) {
    // the legacy API has further settings of a zone, until it migrates
    const open = zones.flatMap(({ zoneId, isToMigrate }) => (isToMigrate === true ? zoneId : []));
    if (open.length > 0) return commandOf('report', { zone: open });
    return commandOf('status', { zone: ids, dir: options.dir });
  }
  const { zone, against, config } = options;
  // without the zones that have migrated
  const named = zone?.length === ids.length ? zone : ids;
  // a blocked zone has such a report too
  if (against === 'ours') return commandOf('check', { zone: named });
  const [validation] = zones.flatMap((one, at) => validationOf(one, named[at]) ?? []);
  return validation ?? commandOf('finish', { zone: named, config });
}

/** Whether the legacy settings come from files; without `--zone`, from the state of this folder. */
const isFromFiles = ({ state, dir, backup, zone }: ReportOptions): boolean =>
  (state ?? dir ?? backup) !== undefined || zone === undefined;

/** Compares the settings of one or several zones. The API is called only for what the files lack, if it can be. */
async function readReport(options: ReportOptions, context: CliContext): Promise<Report> {
  const { config, against } = options;
  const given = givenZones(options);
  const needsApi = config === undefined && against !== 'ours' && !isByStatus(options);
  const isEnough = isFromFiles(options) && given.every(isIdentifier) && !needsApi;
  const makeReport = async (client?: Client): Promise<Report> =>
    compareAll(await knownZones(given, client), options, context, client);
  if (isEnough && !hasCredentials(options, context)) return makeReport();
  return withClient(options, context, makeReport).catch((error: unknown) => {
    if (!isEnough || isByStatus(options) || !isUnreachable(error)) throw error;
    throw error.withHint(
      'check the connection, or remove the credentials to make this report without the API',
    );
  });
}

async function compareAll(
  known: readonly KnownZone[],
  options: ReportOptions,
  context: CliContext,
  client: Client | undefined,
): Promise<Report> {
  const { config, backup } = options;
  const isFile = client === undefined || isFromFiles(options);
  const { zones, findings } = isFile
    ? await readFiles(known, options, context)
    : await readFromApi(client, known);
  if (config !== undefined && zones.length > 1) {
    throw new MigrationError('USAGE', '--config is for one zone: pass its --zone');
  }
  const reports = await mapConcurrently(zones, CONNECTIONS, (settings) => {
    const zone = known.find(({ id }) => id === settings.zoneId);
    return compare(settings, options, context, client, zone);
  });
  const isState = isFile && backup === undefined;
  const all = isState ? [onlyOfState(reports), ...findings] : findings;
  return { ...withFindings(reports, all), isOfSeveral: known.length > 1 };
}

const isUnreachable = (error: unknown): error is MigrationError =>
  error instanceof MigrationError && error.code === 'API_UNREACHABLE';

/** Whether `auto` compares each zone of files by its migration status. */
const isByStatus = ({ against, zone }: ReportOptions): boolean =>
  against === 'auto' && zone === undefined;

async function compare(
  read: LegacySettings,
  options: ReportOptions,
  { cwd }: CliContext,
  client: Client | undefined,
  zone?: KnownZone,
): Promise<ZoneReport> {
  const { config, against, backup } = options;
  const folder = backup === undefined ? BACKUP_FOLDER : dirname(backup);
  const settings = await withSavedOverrides(read, resolve(cwd, folder));
  if (config !== undefined) {
    const { ruleset } = await readSavedRuleset(resolve(cwd, config), 'auto');
    const known = await readTranslateOptions(client, settings.zoneId);
    const comparison = compareZone(settings, ruleset, known);
    return { ...comparison, against: `the saved answer ${printable(config, 200)}` };
  }
  if (client !== undefined && isByStatus(options)) return reportByStatus(client, settings);
  return reportAgainst(client, settings, against, zone);
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
  return { zones: pickZones(zones, ids), findings };
}

function onlyOfState(zones: readonly ZoneReport[]): Finding {
  const isMigrated = zones.every(({ isToMigrate }) => isToMigrate === false);
  return {
    code: 'SETTINGS_OF_STATE',
    severity: 'info',
    subject: 'state',
    message: 'a zone can have further legacy settings, which Terraform does not manage',
    remedy: isMigrated
      ? 'pass --backup with the file that `finish` saved'
      : 'pass --backup with the file that `finish` saved; if the zone has not migrated, run:\ncf-waf-migrate report --zone <id or name>',
  };
}

/** Of several zones, those that have migrated are left out. */
async function readFromApi(client: Client, known: readonly KnownZone[]): Promise<ReadSettings> {
  const read = [];
  const migrated: Finding[] = [];
  for (const { id } of known) {
    const reading = readLegacySettings(client, id);
    const one = await (known.length === 1 ? reading : reading.catch(whenMigrated));
    if (one === undefined) migrated.push(alreadyMigrated(id));
    else read.push(one);
  }
  if (read.length === 0) {
    throw new MigrationError('OLD_SETTINGS_MISSING', 'all of these zones have migrated');
  }
  return {
    zones: read.flatMap(({ zones }) => zones),
    findings: [...migrated, ...read.flatMap(({ findings }) => findings)],
  };
}

const alreadyMigrated = (subject: string): Finding => ({
  code: 'ALREADY_MIGRATED',
  severity: 'info',
  subject,
  message: 'the legacy API no longer has its settings, so this report is without them',
  remedy: `report the settings that \`finish\` saved:\ncf-waf-migrate report --backup ${settingsBackupFile(subject)}`,
});
