import { resolve } from 'node:path';
import { Option } from 'commander';
import { addEffect, addProposal } from '../../actions/review/add-consequences';
import { printComparison } from '../../actions/review/print-comparison';
import { writeFiles } from '../../actions/write-files';
import { REVIEW_FORMATS, type ReviewFormatName } from '../../model/format-names';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Review, reviewJson } from '../../review/review';
import { SQL_ENGINES, type SqlEngine } from '../../review/sql/dialect';
import { type CliCommand, type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { notify } from '../notify';
import { orderReview, type ReviewSource } from '../order-review';
import { renderReview } from '../review-output';
import { withService } from '../service-options';

interface ReviewOptions extends ReviewSource {
  readonly format: ReviewFormatName;
  readonly out?: string;
  readonly force?: boolean;
  readonly propose?: string;
  readonly baseline?: string;
  readonly sql?: SqlEngine;
  readonly table: string;
}

/** `review`: what the new WAF does that the old one did not, by security events. */
export const reviewCommand: CliCommand<ReviewOptions> = {
  example: 'review --events logs/ --config config.json --propose proposal.json',
  define: (command) =>
    withService(command)
      .option('--events <file...>', 'log export firewall_events: files, folders, patterns, or -')
      .option('--zone <id>', 'ask the service for names, tags, the configuration, and events')
      .option('--since <duration>', 'with --zone: events of so long, sampled: 90m, 6h, 3d')
      .option('--zone-name <name>', 'only events of this host and of those below it')
      .option(
        '--config <file>',
        'the configuration that is meant: a log of a new rule counts as what the rule shall do',
      )
      .option('--propose <file>', 'write the configuration with changes that mend the differences')
      .addOption(
        new Option(
          '--sql <engine>',
          'print the comparison for an engine of yours, and stop',
        ).choices(SQL_ENGINES),
      )
      .option('--table <name>', 'with --sql: the table of events', 'firewall_events')
      .option('--result <file>', 'the result table of that query: CSV, JSON lines or Parquet')
      .option('--baseline <file>', 'the JSON of an earlier review: what changed since')
      .addOption(new Option('--format <format>', 'output').choices(REVIEW_FORMATS).default('text'))
      .option('--out <file>', 'file to write instead of standard output')
      .option('--force', 'overwrite files that differ'),
  run: async (options, context) => {
    if (options.sql !== undefined) return printSql(options.sql, options, context);
    const { review, config, catalogue, zoneRules } = await orderReview(options, context);
    const { propose, baseline, force = false } = options;
    if (propose === undefined && baseline === undefined) return report(review, options, context);
    const compared =
      baseline === undefined ? review : await addEffect(review, resolve(context.cwd, baseline));
    if (propose === undefined) return report(compared, options, context);
    if (config === undefined) {
      throw new MigrationError('PROPOSAL_IMPOSSIBLE', 'there is no configuration to change');
    }
    const path = resolve(context.cwd, propose);
    const proposed = addProposal(compared, { path, force, config, catalogue, zoneRules });
    notify(options, context, `wrote ${printable(propose)}\n`);
    return report(proposed, options, context);
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
  const text = renderReview(review, format);
  if (out !== undefined) {
    writeFiles([{ path: resolve(context.cwd, out), text }], { force });
    return { json, text: `wrote ${printable(out)}`, exitCode };
  }
  return format === 'text'
    ? { json, text: text.trimEnd(), exitCode }
    : { json, text: '', document: text, exitCode };
}

/** Whether something would change for a visitor, or cannot be known. */
function needsDecision({ classes, findings }: Review): boolean {
  const changes = classes['only-old'] + classes['only-new'] + classes.stricter + classes.laxer;
  return changes > 0 || findings.some(({ severity }) => severity === 'decision');
}
