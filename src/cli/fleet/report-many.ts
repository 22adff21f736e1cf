import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pickZone } from '../../actions/pick-zones';
import { parseOldSettings, readOldSettings } from '../../actions/read-old-settings';
import {
  describeReport,
  hasDecisions,
  renderReport,
  reportAgainstService,
  reportOurs,
  withFindings,
} from '../../actions/report-zones';
import { writeFiles } from '../../actions/write-files';
import { type Client } from '../../cloudflare/client';
import { type Finding } from '../../model/finding';
import { type ReportFormatName } from '../../model/format-names';
import { MigrationError } from '../../model/migration-error';
import { type OldSettings } from '../../model/old-settings';
import { printable } from '../../model/printable';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { type OldSettingsOptions, translateOptions } from '../old-settings-options';
import { readStates } from '../read-states';
import { type ServiceOptions } from '../service-options';
import { type FleetOptions } from './fleet-options';
import { forZones } from './for-zones';

/** What `report` takes for many zones. */
export interface ReportManyOptions
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
export async function reportMany(
  options: ReportManyOptions,
  context: CliContext,
): Promise<CommandResult> {
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
      const text = renderReport(report, format);
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
  readonly zones: readonly OldSettings[];
  readonly findings: readonly Finding[];
}

/** Read once for all zones; undefined where the old interfaces are to be asked. */
async function readSaved(
  options: ReportManyOptions,
  context: CliContext,
): Promise<Saved | undefined> {
  if (options.state === undefined && options.dir === undefined) return undefined;
  return parseOldSettings(await readStates(options, context));
}

/** What is found of the states stands in the report of each zone: any of them may be read alone. */
async function settingsOf(
  zoneId: string,
  saved: Saved | undefined,
  client: Client,
): Promise<{ readonly settings: OldSettings; readonly findings: readonly Finding[] }> {
  const { zones, findings } = saved ?? (await readOldSettings(client, zoneId));
  return { settings: pickZone(zones, zoneId), findings };
}
