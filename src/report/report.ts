import { isOpenFinding } from '../core/finding';
import { type ZoneComparison } from '../translate/compare/parity';

/** One zone of a report. The types of the library may not reach those of the API client. */
export interface ZoneReport extends ZoneComparison {
  /** Its domain, if the API was called. */
  readonly name?: string | undefined;
  /** Validation mode, with both WAFs on; absent if the zone has none, or the API was not called. */
  readonly validation?: 'possible' | 'on' | undefined;
  /** Whether the API reports that it has not migrated; absent if that was not asked. */
  readonly isToMigrate?: boolean | undefined;
  /** What the legacy settings are compared with, in words: `the live entry point`. */
  readonly against: string;
}

/** What happens to the legacy settings of one zone or many. */
export interface Report {
  readonly zones: readonly ZoneReport[];
  /** Whether it is of several zones, of which some may have no report. */
  readonly isOfSeveral?: boolean | undefined;
}

/** The report as plain data: one document for one zone, or an array `zones` for several. */
export function reportDocument({ zones, isOfSeveral }: Report): object {
  const documents = zones.map(({ zoneId, name, against, parity, findings }) => {
    const { settings, rules, summary } = parity;
    return { zoneId, name, against, summary, settings, rules, findings };
  });
  const [only] = documents;
  const isOfOne = documents.length === 1 && isOfSeveral !== true;
  return only !== undefined && isOfOne ? only : { zones: documents };
}

export function hasDecisions({ zones }: Report): boolean {
  return zones.some(
    ({ parity, findings }) => parity.summary.lost > 0 || findings.some(isOpenFinding),
  );
}
