import { resolve } from 'node:path';
import { Option } from 'commander';
import { graphqlLimiter } from '../../cloudflare/security-events';
import { REVIEW_FORMATS, type ReviewFormatName } from '../../core/format-names';
import { parseZoneId } from '../../core/identifier';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { writeFiles } from '../../files/write-files';
import { reviewFormats } from '../../review/formats/registry';
import { makeReview, printComparison } from '../../review/make-review';
import { SQL_ENGINES, type SqlEngine } from '../../review/query/dialect';
import { needsDecision, type Review, reviewJson } from '../../review/review';
import { withClient } from '../client';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
  notify,
} from '../context';
import { type ServiceOptions, withService } from '../options';

interface ReviewOptions extends ServiceOptions {
  readonly events?: readonly string[];
  readonly zone?: string;
  readonly since?: string;
  readonly zoneName?: string;
  readonly config?: string;
  readonly result?: string;
  readonly format: ReviewFormatName;
  readonly out?: string;
  readonly force?: boolean;
  readonly propose?: string;
  readonly baseline?: string;
  readonly sql?: SqlEngine;
  readonly table: string;
}

/** `review`: compare the legacy and the new WAF in security events, and propose fixes. */
export const reviewCommand: CliCommand<ReviewOptions> = {
  example: 'review --events logs/ --config config.json --propose proposal.json',
  define: (command) =>
    withService(command)
      .option('--events <file...>', 'log export firewall_events: files, folders, patterns, or -')
      .option('--zone <id>', 'read names, tags, the configuration and events from the API')
      .option('--since <duration>', 'with --zone: fetch the sampled events of 90m, 6h or 3d')
      .option('--zone-name <name>', 'only events of this host and its subdomains')
      .option(
        '--config <file>',
        'the configuration to validate: a log of a new rule counts as its action there',
      )
      .option('--propose <file>', 'write the configuration with changes that fix the differences')
      .addOption(
        new Option(
          '--sql <engine>',
          'print the comparison as SQL for another engine, and exit',
        ).choices(SQL_ENGINES),
      )
      .option('--table <name>', 'with --sql: the table of events', 'firewall_events')
      .option('--result <file>', 'the result table of that query: CSV or JSON lines')
      .option('--baseline <file>', 'compare with the JSON of an earlier review')
      .addOption(new Option('--format <format>', 'output').choices(REVIEW_FORMATS).default('text'))
      .option('--out <file>', 'file to write instead of standard output')
      .option('--force', 'overwrite files that differ'),
  run: async (options, context) => {
    if (options.sql !== undefined) return printSql(options.sql, options, context);
    const review = await orderReview(options, context);
    if (options.propose !== undefined) {
      notify(options, context, `wrote ${printable(options.propose)}\n`);
    }
    return report(review, options, context);
  },
};

async function printSql(
  engine: SqlEngine,
  { table, config, out, force = false }: ReviewOptions,
  { cwd }: CliContext,
): Promise<CommandResult> {
  const query = await printComparison({ engine, table, configFile: config, cwd });
  const json = { engine, query };
  if (out === undefined) return { json, text: query, exitCode: 0 };
  writeFiles([{ path: resolve(cwd, out), text: `${query}\n` }], { force });
  return { json, text: `wrote ${printable(out)}`, exitCode: 0 };
}

function report(
  review: Review,
  options: ReviewOptions & CommonOptions,
  context: CliContext,
): CommandResult {
  const { format, out, force = false } = options;
  const exitCode = needsDecision(review) ? 2 : 0;
  const json = reviewJson(review);
  if (out === undefined && options.json) return { json, text: '', exitCode };
  const text = reviewFormats[format](review);
  if (out !== undefined) {
    writeFiles([{ path: resolve(context.cwd, out), text }], { force });
    return { json, text: `wrote ${printable(out)}`, exitCode };
  }
  return format === 'text'
    ? { json, text: text.trimEnd(), exitCode }
    : { json, text: '', document: text, exitCode };
}

/**
 * Makes the review that the flags ask for.
 * @throws MigrationError `USAGE` without a source of events, and those of the action
 */
async function orderReview(
  options: ReviewOptions & CommonOptions,
  context: CliContext,
): Promise<Review> {
  const { events, zone, since, zoneName, config, result, propose, force = false } = options;
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
    baselineFile: options.baseline,
    proposal: propose === undefined ? undefined : { file: propose, force },
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
