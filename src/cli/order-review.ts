import { type MadeReview, makeReview } from '../actions/review/make-review';
import { graphqlLimiter } from '../cloudflare/security-events';
import { parseZoneId } from '../model/identifier';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { notify } from './notify';
import { type ServiceOptions, withClient } from './service-options';

/** The flags that say where the events come from. */
export interface ReviewSource extends ServiceOptions {
  readonly events?: readonly string[];
  readonly zone?: string;
  readonly since?: string;
  readonly zoneName?: string;
  readonly config?: string;
  readonly result?: string;
}

/**
 * Makes the review that the flags ask for.
 * @throws MigrationError `USAGE` without a source of events, and those of the action
 */
export async function orderReview(
  options: ReviewSource & CommonOptions,
  context: CliContext,
): Promise<MadeReview> {
  const { events, zone, since, zoneName, config, result } = options;
  const sources = [events, since, result].filter((one) => one !== undefined).length;
  if (sources !== 1) {
    throw new MigrationError('USAGE', 'pass one of --events, --zone with --since, --result');
  }
  if (since !== undefined && zone === undefined) {
    throw new MigrationError('USAGE', '--since needs the zone: --zone <id>');
  }
  const order = {
    names: events ?? [],
    cwd: context.cwd,
    readStdin: context.readStdin,
    zoneName,
    configFile: config,
    resultFile: result,
  };
  if (zone === undefined) return makeReview(order);
  const zoneId = parseZoneId(zone);
  const span = since === undefined ? {} : { span: spanOf(since, Date.now()) };
  const limiter = graphqlLimiter({
    onWait: (milliseconds) => {
      notify(
        options,
        context,
        `the limit of GraphQL queries is reached: waiting ${Math.ceil(milliseconds / 1000)} seconds\n`,
      );
    },
  });
  return withClient(options, context, (client) =>
    makeReview({ ...order, service: { client, zoneId, limiter, ...span } }),
  );
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function spanOf(text: string, now: number): { readonly from: number; readonly until: number } {
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const length = Number(count) * (units[unit] ?? 0);
  if (!(length > 0)) {
    throw new MigrationError(
      'USAGE',
      `--since "${printable(text, 20)}" is no duration such as 90m, 6h or 3d`,
    );
  }
  // events have whole seconds: the second that has begun is taken in
  return { from: now - length, until: now + 1000 };
}
