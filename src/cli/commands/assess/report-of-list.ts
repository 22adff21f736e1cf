import { join, resolve } from 'node:path';
import { secureBackupFolder } from '../../../apply/journal/secure-backup-folder';
import { type Client } from '../../../cloudflare/client';
import { type KnownZone } from '../../../cloudflare/zones';
import { REPORT_FORMATS, type ReportFormatName } from '../../../core/format-names';
import { findingCodes, isBlocker, isOpenFinding } from '../../../core/finding';
import { compareTexts } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { BACKUP_FOLDER, lastBackup, settingsBackup } from '../../../files/backups';
import { refuseLinkOut } from '../../../files/paths';
import { writeFiles } from '../../../files/write-files';
import { withSavedOverrides } from '../../../firewall/overrides';
import { overviewOf, renderReportIndex } from '../../../report/formats/html';
import { type RefusedEntry } from '../../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { reportFormats } from '../../../report/formats/registry';
import { describeReport } from '../../../report/formats/words';
import { pickZone, reportAgainst, withFindings } from '../../../report/compare-zones';
import { type Report, type ZoneReport } from '../../../report/report';
import { readLegacySettings } from '../../../translate/source/settings-from-api';
import { check } from '../../../zone/check';
import { readSavedSettings } from '../../../zone/finish-backup';
import { type CliContext, type CommandResult } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { forZones, type ZoneResult } from '../../fleet/for-zones';
import { reportLine } from '../../fleet/next-of-list';
import {
  commandForSameZones,
  commandOf,
  CONFIG,
  OUT_OF_MANY,
  refuseForMany,
  STATES,
  ZONES,
} from '../../options';
import { formatOf, madeNow, writeOrPrint } from '../../output';

export const REPORT = defineFlags({
  ...ZONES,
  ...STATES,
  '--backup <file>': {
    summary: 'read the legacy settings that finish saved',
    conflicts: ['state', 'dir'],
  },
  ...CONFIG,
  '--against <ruleset>': {
    summary: 'what to compare with (ours is the translation)',
    choices: ['auto', 'config', 'live', 'ours'],
    usual: 'auto',
    conflicts: ['config'],
  },
  '--format <format>': { summary: 'output', choices: REPORT_FORMATS, usual: 'text' },
  ...OUT_OF_MANY,
});

export type ReportOptions = OptionsOf<typeof REPORT>;

/** `report` for a list of zones: one file for each, in one folder. `fleet status` shows the totals. */
export async function reportList(
  options: ReportOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { out, config, state, dir, backup } = options;
  refuseForMany(options, { config, state, dir, backup });
  if (out === undefined) {
    throw new MigrationError('USAGE', 'pass a folder for the reports: --out <dir>', {
      hint: `run:\ncf-waf-migrate ${reportLine(options)}`,
    });
  }
  await refuseLinkOut(resolve(context.cwd, out), context.cwd);
  // a pull request could add settings there
  await secureBackupFolder(context.cwd, context);
  const run: ReportRun = { reports: new Map(), validations: [], canFinish: false };
  return forZones(options, context, {
    stage: 'report',
    next: () => nextOfReports(run, options),
    repeats: () => false,
    before: (usual) =>
      run.validations.length === 0
        ? usual
        : {
            task: 'the comparison in validation mode',
            commands: run.validations.toSorted(compareTexts),
          },
    perform: (client, zone) => reportZone(client, zone, run, { ...options, out }, context),
    conclude: (outcomes, { refused }) => [
      ...(run.validations.length === 0 ? [] : [AFTER_LOG_ONLY]),
      ...(formatOf(options, context) === 'html'
        ? [writeIndex(run.reports, { outcomes, refused }, { ...options, out }, context)]
        : []),
    ],
  });
}

/** What the reports of a list have collected so far. */
interface ReportRun {
  readonly reports: Map<string, ZoneReport>;
  /** The commands that compare both WAFs before `finish`. */
  readonly validations: string[];
  /** Whether a zone still has its legacy WAF. */
  canFinish: boolean;
}

function nextOfReports({ canFinish, validations }: ReportRun, options: ReportOptions) {
  if (!canFinish) return commandForSameZones('status', options);
  // a blocked zone has such a report too
  if (options.against === 'ours') return commandForSameZones('check', options);
  // a zone in validation mode can have rules of the user, which --source config replaces
  const areLogOnly = validations.every((one) => one.endsWith(' --log-only'));
  const source = validations.length > 0 && areLogOnly ? 'config' : undefined;
  return commandForSameZones('finish', options, { source });
}

async function reportZone(
  client: Client,
  zone: KnownZone,
  run: ReportRun,
  options: ReportOptions & { readonly out: string },
  context: CliContext,
): Promise<ZoneResult> {
  const { id, name = id } = zone;
  const current = await readLegacySettings(client, id).catch(whenMigrated);
  const read = current ?? (await readSavedByFinish(id, context));
  if (read === undefined) return resultOf(null, MIGRATED);
  const folder = resolve(context.cwd, BACKUP_FOLDER);
  const settings = await withSavedOverrides(pickZone(read.zones, id), folder);
  const compared = await reportAgainst(client, settings, options.against, zone).catch(
    (error: unknown) => blockersOf(client, id, error),
  );
  if ('blockers' in compared) {
    const { blockers: open } = compared;
    const line = `cannot migrate: ${findingCodes(open)}`;
    return { ...resultOf({ findings: open }, line), open, exitCode: 2 };
  }
  const report = withFindings([compared], read.findings);
  const [whole = compared] = report.zones;
  const file = writeReport(id, report, options, context);
  run.canFinish ||= current !== undefined;
  const validation = validationOf(compared, name);
  if (validation !== undefined) run.validations.push(validation);
  run.reports.set(id, whole);
  const { summary, decisions } = overviewOf(whole);
  // the migration has ended the decisions of a migrated zone
  const open = current === undefined ? [] : whole.findings.filter(isOpenFinding);
  const line = [describeReport(report), findingCodes(open), `wrote ${printable(file)}`];
  const json = { files: [file], against: compared.against, summary, decisions, findings: open };
  const shown = line.filter(Boolean).join(': ');
  return { ...resultOf(json, shown), open, exitCode: open.length > 0 ? 2 : 0 };
}

const AFTER_LOG_ONLY =
  'After `start-validation --log-only`, `finish` needs --source config to enforce the rules. For a zone to which you sent a file, run `finish --zone` with the same --config.';

const resultOf = (json: object | null, line: string) =>
  ({ json, text: line, line, exitCode: 0 }) as const;

/** The blockers of a zone without a migration configuration; throws the error if nothing blocks the zone. */
async function blockersOf(client: Client, zoneId: string, error: unknown) {
  if (!(error instanceof MigrationError) || error.code !== 'API_REFUSED') throw error;
  const checked = await check(client, zoneId).catch(() => undefined);
  const blockers = checked?.findings.filter(isBlocker) ?? [];
  if (blockers.length === 0) throw error;
  return { blockers };
}

const ENDINGS: Readonly<Record<ReportFormatName, string>> = {
  text: 'txt',
  json: 'json',
  markdown: 'md',
  html: 'html',
};

/** Writes the report of one zone of a list. The file has the id, because a name can change, and be no name of a file. */
function writeReport(
  zoneId: string,
  report: Report,
  { out, force, ...options }: ReportOptions & { readonly out: string },
  context: CliContext,
): string {
  const format = formatOf(options, context);
  const file = join(out, `${zoneId}.${ENDINGS[format]}`);
  writeOrPrint(
    { json: report, exitCode: 0 },
    { format, out: file, force, links: false },
    context,
    () => reportFormats[format](report, madeNow(context)),
  );
  return file;
}

/** Writes the page that leads to the reports of a list, and names the zones without one. */
function writeIndex(
  reports: ReadonlyMap<string, ZoneReport>,
  run: { readonly outcomes: readonly ZoneOutcome[]; readonly refused: readonly RefusedEntry[] },
  { force = false, out }: ReportOptions & { readonly out: string },
  context: CliContext,
): string {
  const file = join(out, 'index.html');
  if (reports.size === 0) return 'no index.html is written: this run has no report';
  const zones = run.outcomes.flatMap(({ zone, name }) => {
    const report = reports.get(zone);
    return report === undefined ? [] : { ...overviewOf(report), name, href: `${zone}.html` };
  });
  const failed = run.outcomes.filter(({ zone }) => !reports.has(zone));
  const missing = [
    ...run.refused.map(({ error }) => error.message),
    ...failed.map(({ name, line }) => `${name}: ${line}`),
  ];
  const text = renderReportIndex(zones, missing, madeNow(context));
  writeFiles([{ path: resolve(context.cwd, file), text }], {
    force,
    links: false,
    mayReplace: (old) => old.includes('<meta name="generator" content="cf-waf-migrate">'),
  });
  return `wrote ${printable(file)}`;
}

/** The command that compares both WAFs before `finish`; undefined if the zone has no validation mode. */
export function validationOf(
  { validation, findings }: ZoneReport,
  zone: string | undefined,
): string | undefined {
  if (validation === 'on') return commandOf('review', { zone, since: '6h' });
  // `start-validation` refuses such a zone
  const isOff = findings.some(({ code }) => code === 'WAF_SWITCHED_OFF');
  if (validation === undefined || isOff) return undefined;
  return commandOf('start-validation', { zone, 'log-only': true });
}

/** The settings that `finish` saved last for a migrated zone of a list. */
function readSavedByFinish(zoneId: string, { cwd }: CliContext) {
  const file = lastBackup(resolve(cwd, BACKUP_FOLDER), settingsBackup(zoneId));
  return file === undefined ? undefined : readSavedSettings(file);
}

const MIGRATED =
  'already migrated: `report --backup <file>` reads the settings that `finish` saved';

/** A migrated zone of a list is no failure. */
export function whenMigrated(error: unknown): undefined {
  if (!(error instanceof MigrationError && error.code === 'OLD_SETTINGS_MISSING')) throw error;
}
