import { resolve } from 'node:path';
import { Option } from 'commander';
import {
  describeReport,
  hasDecisions,
  renderReport,
  type Report,
  reportDocument,
} from '../../actions/report-zones';
import { writeFiles } from '../../actions/write-files';
import { REPORT_FORMATS, type ReportFormatName } from '../../model/format-names';
import { parseZoneId } from '../../model/identifier';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type CliCommand, type CommonOptions } from '../command';
import { type CliContext } from '../context';
import { type FleetOptions, isFleet, withFleet } from '../fleet/fleet-options';
import { reportMany } from '../fleet/report-many';
import {
  type OldSettingsOptions,
  translateOptions,
  withOldSettings,
} from '../old-settings-options';
import { readReport } from '../read-report';
import { type ServiceOptions, withService } from '../service-options';

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
  const text = renderReport(report, format);
  if (out !== undefined) {
    writeFiles([{ path: resolve(context.cwd, out), text }], { force });
    return { json, text: `wrote ${printable(out)}\n${describeReport(report)}`, exitCode };
  }
  return format === 'text'
    ? { json, text: text.trimEnd(), exitCode }
    : { json, text: '', document: text, exitCode };
}
