import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { withListed } from './fleet/find-listed';
import { type ServiceOptions } from './service-options';

/** The zones that a plan is for: named one by one, or in a file. */
export interface PlanZoneOptions {
  readonly zone?: readonly string[];
  readonly zones?: string;
  /** All of an account, or of a list that must be of it. */
  readonly account?: string;
}

/**
 * The ids of the zones of a plan. Of a file with ids alone nothing is asked of the service; a plan is
 * for all zones of its list or none.
 * @throws MigrationError `USAGE`, `ZONE_ID_INVALID`, `ZONES_FILE_INVALID`, `ZONES_EMPTY`,
 *   `ZONE_NOT_REACHED`, and those of the client
 */
export async function readPlanZones(
  options: PlanZoneOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<string[]> {
  const { zone = [], zones, account } = options;
  if (zones === undefined && account === undefined) return [...new Set(zone.map(parseZoneId))];
  if (zone.length > 0) {
    throw new MigrationError('USAGE', '--zone is one zone; --zones and --account are many');
  }
  const found = await withListed(options, context, ({ found: listed }) => Promise.resolve(listed), {
    needsClient: false,
  });
  const { refused } = found;
  if (refused.length === 0) return found.zones.map(({ id }) => id);
  throw new MigrationError(
    'ZONE_NOT_REACHED',
    `${refused.length} entries of ${printable(zones ?? '')} cannot be planned`,
    {
      findings: refused.map(({ line, text, error }) => ({
        code: error.code,
        severity: 'blocker',
        subject: `line ${line ?? 0}: ${printable(text, 100)}`,
        message: error.message,
        remedy: error.hint,
      })),
    },
  );
}
