import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { type Client } from '../../cloudflare/client';
import { type Finding } from '../../core/finding';
import { REPORT_FORMATS, type ReportFormatName } from '../../core/format-names';
import { parseZoneId } from '../../core/identifier';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { writeFiles } from '../../files/write-files';
import { readSavedRuleset } from '../../generate/read-source';
import {
  pickZone,
  pickZones,
  reportAgainst,
  reportAgainstService,
  reportOurs,
  withFindings,
} from '../../report/compare-zones';
import { reportFormats } from '../../report/formats/registry';
import { describeReport } from '../../report/formats/words';
import { hasDecisions, type Report, reportDocument } from '../../report/report';
import { type LegacySettings } from '../../translate/legacy-settings';
import { readLegacySettings } from '../../translate/source/settings-from-api';
import { readSettingsFromStates } from '../../translate/source/settings-from-state';
import { readSavedSettings } from '../../zone/finish-backup';
import { withClient } from '../client';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from '../context';
import { translateOptions } from '../legacy-settings';
import { forZones } from '../many-zones';
import {
  type FleetOptions,
  isFleet,
  type OldSettingsOptions,
  type ServiceOptions,
  withFleet,
  withOldSettings,
  withService,
} from '../options';
import { readStates } from '../terraform';

interface ReportOptions extends ServiceOptions, OldSettingsOptions, FleetOptions {
  readonly zone?: readonly string[];
  readonly against: 'auto' | 'config' | 'live' | 'ours';
  readonly config?: string;
  readonly backup?: string;
  readonly format: ReportFormatName;
  readonly out?: string;
  readonly force?: boolean;
}

/** `report`: what became of each old setting. */
export const reportCommand: CliCommand<ReportOptions> = {
  example:
    'report --zone 0123456789abcdef0123456789abcdef --state terraform.tfstate --format html --out report.html',
  define: (command) =>
    withFleet(withOldSettings(withService(command)))
      .option('--zone <id...>', 'zone ids (default: every zone of the state)')
      .addOption(
        new Option(
          '--against <ruleset>',
          'auto: with --zone what the service has or proposes, else ours; ours: the translation',
        )
          .choices(['auto', 'config', 'live', 'ours'])
          .default('auto'),
      )
      .option('--backup <file>', 'read the legacy settings that `finish` saved')
      .option('--config <file>', 'against a saved answer of config or entry point; asks nobody')
      .addOption(new Option('--format <format>', 'output').choices(REPORT_FORMATS).default('text'))
      .option('--out <file>', 'file to write instead of standard output; for many zones a folder')
      .option('--force', 'overwrite a file that differs'),
  run: async (options, context) => {
    const { zone: [first] = [], ...rest } = options;
    if (isFleet(first === undefined ? rest : { ...rest, zone: first })) {
      if (options.backup !== undefined) {
        throw new MigrationError(
          'USAGE',
          '--backup holds one zone: leave out --zones and --account',
        );
      }
      return reportMany(rest, context);
    }
    const zones = [...new Set((options.zone ?? []).map(parseZoneId))];
    if (options.config !== undefined && options.against !== 'auto') {
      throw new MigrationError('USAGE', '--config is what to hold against: leave out --against');
    }
    const told = await translateOptions(options, context);
    const report = await readReport({ ...options, zones, told }, context);
    return render(report, options, context);
  },
};

function render(report: Report, options: ReportOptions & CommonOptions, context: CliContext) {
  const { format, out, force = false } = options;
  const exitCode = hasDecisions(report) ? (2 as const) : (0 as const);
  const json = reportDocument(report);
  if (out === undefined && options.json) return { json, text: '', exitCode };
  const text = reportFormats[format](report);
  if (out !== undefined) {
    writeFiles([{ path: resolve(context.cwd, out), text }], { force });
    return { json, text: `wrote ${printable(out)}\n${describeReport(report)}`, exitCode };
  }
  return format === 'text'
    ? { json, text: text.trimEnd(), exitCode }
    : { json, text: '', document: text, exitCode };
}

/** What `report` takes for many zones. */
interface ReportManyOptions
  extends FleetOptions, ServiceOptions, OldSettingsOptions, CommonOptions {
  readonly against: 'auto' | 'config' | 'live' | 'ours';
  readonly config?: string;
  readonly format: ReportFormatName;
  readonly out?: string;
  readonly force?: boolean;
}

const ENDINGS: Readonly<Record<ReportFormatName, string>> = {
  text: 'txt',
  json: 'json',
  markdown: 'md',
  html: 'html',
};

/**
 * `report` for many zones: a file each, in one folder. What all of them come to is the page of
 * `fleet status`.
 * @throws MigrationError `USAGE`, `STATE_…`, and as `forZones`
 */
async function reportMany(options: ReportManyOptions, context: CliContext): Promise<CommandResult> {
  const { against, format, out, force = false, catalogue } = options;
  if (options.config !== undefined) {
    throw new MigrationError('USAGE', '--config is the answer for one zone: pass its --zone');
  }
  if (out === undefined) {
    throw new MigrationError('USAGE', 'pass a folder for the reports of many zones: --out <dir>');
  }
  const told = await translateOptions(options, context);
  const known = [...told.catalogue.legacyRules.values(), ...told.catalogue.groups.values()];
  const saved = await readSaved(options, context);
  return forZones(options, context, {
    stage: 'report',
    request: {
      ...{ against, format, out },
      settings: digestOf(saved && [saved]),
      catalogue: catalogue === undefined ? undefined : digestOf(known),
      managedRuleset: digestOf(told.managedIds),
    },
    perform: async (client, { id, name }) => {
      const { settings, findings } = await settingsOf(id, saved, client);
      const zone =
        against === 'ours'
          ? reportOurs(settings, told)
          : await reportAgainstService(client, settings, against, told, name);
      const report = withFindings([zone], findings);
      // by its id: a name can change, and need not be one of a file
      const file = join(out, `${id}.${ENDINGS[format]}`);
      const text = reportFormats[format](report);
      writeFiles([{ path: resolve(context.cwd, file), text }], { force });
      const line = `${describeReport(report)}: wrote ${printable(file)}`;
      const json = { files: [file], against: zone.against, summary: zone.parity.summary };
      return { json, text: line, line, exitCode: hasDecisions(report) ? 2 : 0 };
    },
  });
}

/** What stands in a file decides of a result, and not how the file is called: it may be a pipe, read by now. */
function digestOf(values: Iterable<unknown> | undefined): string | undefined {
  if (values === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([...values]))
    .digest('hex');
}

interface Saved {
  readonly zones: readonly LegacySettings[];
  readonly findings: readonly Finding[];
}

/** Read once for all zones; undefined where the old interfaces are to be asked. */
async function readSaved(
  options: ReportManyOptions,
  context: CliContext,
): Promise<Saved | undefined> {
  if (options.state === undefined && options.dir === undefined) return undefined;
  return readSettingsFromStates(await readStates(options, context));
}

/** What is found of the states stands in the report of each zone: any of them may be read alone. */
async function settingsOf(
  zoneId: string,
  saved: Saved | undefined,
  client: Client,
): Promise<{ readonly settings: LegacySettings; readonly findings: readonly Finding[] }> {
  const { zones, findings } = saved ?? (await readLegacySettings(client, zoneId));
  return { settings: pickZone(zones, zoneId), findings };
}

/** What to report, and against what. */
export interface ReportRequest extends OldSettingsOptions, ServiceOptions, CommonOptions {
  readonly zones: readonly string[];
  readonly against: 'auto' | 'config' | 'live' | 'ours';
  readonly config?: string;
  /** What `finish` saved. */
  readonly backup?: string;
  readonly told: Awaited<ReturnType<typeof translateOptions>>;
}

/**
 * Reads old settings and what to hold them against. The service is asked only for what no file holds.
 * @throws MigrationError `USAGE`, `STATE_…`, `OLD_SETTINGS_MISSING`, and those of the client
 */
export async function readReport(request: ReportRequest, context: CliContext): Promise<Report> {
  const { state, dir, backup, zones, config } = request;
  if (backup !== undefined && (state ?? dir) !== undefined) {
    throw new MigrationError('USAGE', 'pass one of --state, --dir and --backup');
  }
  const fromFile = (state ?? dir ?? backup) !== undefined;
  if (!fromFile && zones.length === 0) {
    throw new MigrationError(
      'USAGE',
      'pass the legacy settings with --state, --dir or --backup, or a --zone',
    );
  }
  const against = request.against === 'auto' && zones.length === 0 ? 'ours' : request.against;
  const asks = !fromFile || (config === undefined && against !== 'ours');
  if (!asks) return collect({ ...request, against }, context, undefined);
  return withClient(request, context, (client) =>
    collect({ ...request, against }, context, client),
  );
}

async function collect(
  request: ReportRequest,
  context: CliContext,
  client: Client | undefined,
): Promise<Report> {
  const { zones, findings } = await readSettings(request, context, client);
  const { config, against, told } = request;
  if (config !== undefined) {
    const [settings, ...others] = zones;
    if (settings === undefined || others.length > 0) {
      throw new MigrationError('USAGE', '--config is the answer for one zone: pass its --zone');
    }
    const { ruleset } = await readSavedRuleset(resolve(context.cwd, config), 'auto');
    const saved = { ruleset, against: `the saved answer ${printable(config, 200)}` };
    return withFindings([reportAgainst(settings, saved, told)], findings);
  }
  const reports = [];
  for (const settings of zones) {
    reports.push(
      against === 'ours' || client === undefined
        ? reportOurs(settings, told)
        : await reportAgainstService(client, settings, against, told),
    );
  }
  return withFindings(reports, findings);
}

async function readSettings(
  request: ReportRequest,
  context: CliContext,
  client: Client | undefined,
) {
  const { state, dir, backup } = request;
  if ((state ?? dir ?? backup) !== undefined) {
    const { zones, findings } =
      backup === undefined
        ? readSettingsFromStates(await readStates(request, context))
        : await readSavedSettings(resolve(context.cwd, backup));
    return { zones: pickZones(zones, request.zones), findings };
  }
  const read = [];
  if (client === undefined) throw new TypeError('the old interfaces need a client');
  for (const zoneId of request.zones) read.push(await readLegacySettings(client, zoneId));
  return {
    zones: read.flatMap(({ zones }) => zones),
    findings: read.flatMap(({ findings }) => findings),
  };
}
