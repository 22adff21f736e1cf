import { readdirSync } from 'node:fs';
import { isOpenFinding, renderFindings } from '../../../core/finding';
import { REVIEW_FORMATS } from '../../../core/format-names';
import { firstFree } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { findNotCompared } from '../../../review/findings';
import { reviewFormats } from '../../../review/formats/registry';
import {
  makeReview,
  needsDecision,
  printComparison,
  type Review,
} from '../../../review/make-review';
import { SQL_ENGINES, type SqlEngine } from '../../../review/query/comparison-query';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { advanced, defineFlags, type OptionsOf } from '../../flags';
import { commandOf, CONFIG, OUT, SERVICE } from '../../options';
import { formatOf, madeNow, writeOrPrint } from '../../output';
import { requireZone, withZoneClient } from '../../zones';

const flags = defineFlags({
  '--events <file...>': 'files of the Logpush dataset firewall_events, or -',
  '--zone <zone...>': 'read names, configuration, events of this zone',
  '--since <duration>': 'with --zone: sampled events of the last 90m, 6h or 3d',
  ...CONFIG,
  '--propose <file>': 'write the configuration with fixes',
  '--baseline <file>': 'JSON of an earlier review, to see what changed',
  '--format <format>': { summary: 'output', choices: REVIEW_FORMATS, usual: 'text' },
  ...OUT,
  ...SERVICE,
  '--sql <engine>': {
    ...advanced('print the query of the table firewall_events'),
    choices: SQL_ENGINES,
    conflicts: ['events', 'zone', 'since', 'result', 'propose', 'baseline', 'format'],
  },
  '--result <file>': advanced('result of that query as JSON lines'),
});

type ReviewOptions = OptionsOf<typeof flags>;

export const reviewCommand = defineCommand({
  example: 'review --events logs/ --config config.json --propose proposal.json',
  flags,
  run: async (options, context) => {
    if (options.sql !== undefined) return printSql(options.sql, options, context);
    const review = await orderReview(options, context);
    if (options.propose !== undefined) context.notify(`wrote ${printable(options.propose)}`);
    const isOpen = needsDecision(review);
    const exitCode = isOpen ? 2 : 0;
    const next = nextOf(options, context, isOpen, review);
    const open = review.findings.filter(isOpenFinding);
    // a table of rules has no findings
    if (options.format === 'csv' && !context.json)
      for (const line of renderFindings(open)) context.stderr(`${line}\n`);
    const result = { json: review, ...next, exitCode } as const;
    return writeOrPrint(result, options, context, () =>
      reviewFormats[formatOf(options, context)](review, madeNow(context)),
    );
  },
});

async function printSql(
  engine: SqlEngine,
  { config, out, force }: ReviewOptions,
  context: CliContext,
): Promise<CommandResult> {
  const query = await printComparison(engine, { config, cwd: context.cwd });
  const result = { json: { engine, query }, exitCode: 0 } as const;
  return writeOrPrint(result, { out, force }, context, () => `${query.trimEnd()}\n`);
}

type Following = Pick<CommandResult, 'next' | 'before'>;

/**
 * Propose fixes, send them and compare again; without differences or further fixes, finish, if all requests were
 * compared.
 */
function nextOf(
  options: ReviewOptions,
  context: CliContext,
  isOpen: boolean,
  { proposal, impact, findings }: Review,
): Following {
  const gap = findNotCompared(findings);
  const differs = Object.values(impact).some(({ requests }) => requests > 0);
  if (isOpen && options.propose === undefined && (differs || gap === undefined))
    return toPropose(options, context);
  const { zone, config, propose } = options;
  const hasFixes = isOpen && (proposal?.changes ?? []).length > 0;
  if (hasFixes || gap?.code === 'LEGACY_WAF_HIDDEN') {
    // a new rule that blocks would hide requests from the legacy WAF
    const sent = { config: propose ?? config, 'log-only': true };
    return { next: commandForZone('start-validation', zone, sent) };
  }
  if (gap !== undefined) return { before: { task: gap.remedy } };
  return {
    next: commandForZone('finish', zone, { config }),
    before: isOpen ? { task: 'the review of these differences' } : undefined,
  };
}

function toPropose(
  { zone, events = [], config, out, force = false }: ReviewOptions,
  { commandLine, cwd }: CliContext,
): Following {
  const named = config === undefined && zone === undefined ? '--zone <zone> ' : '';
  // the page with the fixes replaces the one that was just written
  const overwrite = out === undefined || force ? '' : ' --force';
  const added = `${named}--propose ${freeName(cwd)}${overwrite}`;
  // standard input cannot be read again
  return events.includes('-')
    ? { before: { task: `review the same events again, with ${added}` } }
    : { next: `${commandLine} ${added}` };
}

/** A command for the zone of the review, or for one that the user names. */
const commandForZone = (
  name: string,
  zone: ReviewOptions['zone'],
  sent: Parameters<typeof commandOf>[1],
): string =>
  commandOf(zone === undefined ? `${name} --zone <zone>` : name, { zone: zone?.[0], ...sent });

/** A proposal for a configuration that was proposed itself does not replace it. */
function freeName(cwd: string): string {
  const taken = readdirSync(cwd).flatMap((name) => /^(proposal.*)\.json$/.exec(name)?.[1] ?? []);
  return `${firstFree('proposal', new Set(taken))}.json`;
}

async function orderReview(options: ReviewOptions, context: CliContext): Promise<Review> {
  const { events, zone, since, result } = options;
  const sources = [events, since, result].filter((one) => one !== undefined).length;
  if (sources !== 1) {
    throw new MigrationError('USAGE', 'pass one of --events, --zone with --since, --result');
  }
  if (since !== undefined && zone === undefined) {
    throw new MigrationError('USAGE', '--since needs the zone: --zone <id>');
  }
  const order = { ...options, cwd: context.cwd, readStdin: context.readStdin };
  if (zone === undefined) return makeReview(order);
  requireZone(options);
  const span = since === undefined ? {} : { span: spanOf(since, Date.now()) };
  return withZoneClient(options, context, (client, zoneId) =>
    makeReview({ ...order, service: { client, zoneId, ...span } }),
  );
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function spanOf(text: string, now: number): { readonly from: number; readonly until: number } {
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const length = Number(count) * (units[unit] ?? 0);
  if (!(length > 0)) {
    const message = `--since "${printable(text, 20)}" is not a duration such as 90m, 6h or 3d`;
    throw new MigrationError('USAGE', message);
  }
  // events have whole seconds
  return { from: now - length, until: now + 1000 };
}
