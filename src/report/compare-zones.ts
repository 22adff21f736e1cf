import { type Client } from '../cloudflare/client';
import { readZone } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { type ReportFormatName } from '../core/format-names';
import { MigrationError } from '../core/migration-error';
import { type Ruleset } from '../core/ruleset';
import { readSource, type RulesetSource } from '../generate/read-source';
import { reportFormats, zoneDocument } from './formats/registry';
import { summaryLine } from './formats/words';
import { readManagedIds } from './managed-rule-ids';
import { type Report, type ZoneReport } from './report';
import { addSummaries } from '../translate/compare/parity';
import { type LegacySettings } from '../translate/legacy-settings';
import { type TranslateOptions } from '../translate/reading/read-context';
import { compareZone, translateZone } from '../translate/translate-zone';

export { type Report } from './report';

/** Old settings against the ruleset that they are translated to. */
export function reportOurs(settings: LegacySettings, options: TranslateOptions): ZoneReport {
  const { zoneId, parity, findings } = translateZone(settings, options);
  return { zoneId, against: 'the ruleset that is translated from them', parity, findings };
}

/** Old settings against a ruleset that is at hand. */
export function reportAgainst(
  settings: LegacySettings,
  { ruleset, against }: { readonly ruleset: Ruleset; readonly against: string },
  options: TranslateOptions,
): ZoneReport {
  return { ...compareZone(settings, ruleset, options), against };
}

/**
 * Old settings against what the service has, or proposes.
 * @param knownName of the zone; without it the service is asked
 * @throws MigrationError `ENTRY_POINT_MISSING`, and those of the client
 */
export async function reportAgainstService(
  client: Client,
  settings: LegacySettings,
  source: RulesetSource,
  options: TranslateOptions,
  knownName?: string,
): Promise<ZoneReport> {
  const { zoneId } = settings;
  const name = knownName ?? (await readZone(client, zoneId)).name;
  const managedIds = options.managedIds ?? (await readManagedIds(client, zoneId));
  const { ruleset, origin, findings } = await readSource(client, zoneId, source);
  const against =
    origin === 'live' ? 'the live entry point' : 'what its migration will make of them';
  const told = { ...options, ...(managedIds === undefined ? {} : { managedIds }) };
  const report = reportAgainst(settings, { ruleset, against }, told);
  return { ...report, name, findings: [...report.findings, ...findings] };
}

/** Findings that belong to no zone stand with the first one. */
export function withFindings(zones: readonly ZoneReport[], findings: readonly Finding[]): Report {
  const [first, ...others] = zones;
  if (first === undefined || findings.length === 0) return { zones };
  return { zones: [{ ...first, findings: [...findings, ...first.findings] }, ...others] };
}

/** The report as text, JSON, Markdown or HTML. */
export function renderReport(report: Report, format: ReportFormatName): string {
  return reportFormats[format](report);
}

/** All zones of a report in one line. */
export function describeReport({ zones }: Report): string {
  const line = summaryLine(addSummaries(zones.map(({ parity }) => parity.summary)));
  return zones.length === 1 ? line : `${zones.length} zones, ${line}`;
}

/** The report as plain data: the zone itself where there is one. */
export function reportDocument({ zones }: Report): object {
  const documents = zones.map(zoneDocument);
  const [only] = documents;
  return only !== undefined && documents.length === 1 ? only : { zones: documents };
}

/** Whether a person has something left to do. */
export function hasDecisions({ zones }: Report): boolean {
  return zones.some(
    ({ parity, findings }) =>
      parity.summary.lost > 0 || findings.some(({ severity }) => severity !== 'info'),
  );
}

/**
 * The old settings of the zones that are asked for; of all, where none is named.
 * @throws MigrationError `OLD_SETTINGS_MISSING` when the states hold nothing of a zone, or of any
 */
export function pickZones(
  zones: readonly LegacySettings[],
  wanted: readonly string[],
): readonly LegacySettings[] {
  if (wanted.length > 0) return wanted.map((zoneId) => pickZone(zones, zoneId));
  if (zones.length > 0) return zones;
  throw new MigrationError(
    'OLD_SETTINGS_MISSING',
    'the state holds no settings of the previous WAF',
  );
}

/**
 * The old settings of one zone.
 * @throws MigrationError `OLD_SETTINGS_MISSING`
 */
export function pickZone(zones: readonly LegacySettings[], zoneId: string): LegacySettings {
  const found = zones.find((zone) => zone.zoneId === zoneId);
  if (found !== undefined) return found;
  const held = zones.map((zone) => zone.zoneId);
  const others =
    held.length === 0
      ? ''
      : `, only for ${held.slice(0, 5).join(', ')}${held.length > 5 ? ' and more' : ''}`;
  throw new MigrationError(
    'OLD_SETTINGS_MISSING',
    `the state holds no settings of the previous WAF for zone ${zoneId}${others}`,
  );
}
