import { resolve } from 'node:path';
import { readSavedSettings } from '../zone/finish-backup';
import {
  pickZones,
  type Report,
  reportAgainst,
  reportAgainstService,
  reportOurs,
  withFindings,
} from '../report/compare-zones';
import { parseLegacySettings, readLegacySettings } from '../translate/source/read-settings';
import { readSavedRuleset } from '../generate/write/read-saved-ruleset';
import { type Client } from '../cloudflare/client';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { type OldSettingsOptions, type translateOptions } from './old-settings-options';
import { readStates } from './read-states';
import { type ServiceOptions, withClient } from './service-options';

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
        ? parseLegacySettings(await readStates(request, context))
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
