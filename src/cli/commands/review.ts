import { resolve } from 'node:path';
import { Option } from 'commander';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Review } from '../../review/review';
import { type CliCommand, type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { renderReview, REVIEW_FORMATS, type ReviewFormatName } from '../review-output';

interface ReviewOptions {
  readonly events?: readonly string[];
  readonly zoneName?: string;
  readonly config?: string;
  readonly format: ReviewFormatName;
  readonly out?: string;
  readonly force?: boolean;
}

/** `review`: what the new WAF does that the old one did not, by security events. */
export const reviewCommand: CliCommand<ReviewOptions> = {
  name: 'review',
  summary: 'validation mode: old against new WAF in security events, and what mends it',
  example: 'review --events logs/ --config config.json --propose proposal.json',
  define: (command) =>
    command
      .option('--events <name...>', 'log export firewall_events: files, folders, patterns, or -')
      .option('--zone-name <name>', 'only events of this host and of those below it')
      .option(
        '--config <file>',
        'the configuration that is meant: a log of a new rule counts as what the rule shall do',
      )
      .addOption(new Option('--format <format>', 'output').choices(REVIEW_FORMATS).default('text'))
      .option('--out <file>', 'file to write instead of standard output')
      .option('--force', 'overwrite a file that differs'),
  run: async (options, context) => report(await makeReview(options, context), options, context),
};

async function makeReview(options: ReviewOptions, context: CliContext): Promise<Review> {
  const { events } = options;
  if (events === undefined) throw new MigrationError('USAGE', 'pass --events');
  const { reviewEvents } = await import('../../actions/review/review-events');
  const { knowledgeOf } = await import('../../actions/review/review-knowledge');
  const { builtInCatalogue } = await import('../../translate/catalogue/built-in-catalogue');
  const config = await readConfig(options, context);
  const knowledge = knowledgeOf(builtInCatalogue(), config);
  return reviewEvents({ names: events, ...context, zoneName: options.zoneName }, knowledge);
}

async function readConfig({ config }: ReviewOptions, { cwd }: CliContext) {
  if (config === undefined) return undefined;
  const { readSavedRuleset } = await import('../../actions/read-saved-ruleset');
  return (await readSavedRuleset(resolve(cwd, config), 'auto')).ruleset;
}

async function report(
  review: Review,
  options: ReviewOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { reviewJson } = await import('../../review/formats/json');
  const { format, out, force = false } = options;
  const exitCode = needsDecision(review) ? 2 : 0;
  const json = reviewJson(review);
  if (out === undefined && options.json) return { json, text: '', exitCode };
  const text = await renderReview(review, format);
  if (out !== undefined) {
    const { writeFiles } = await import('../../actions/write-files');
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
