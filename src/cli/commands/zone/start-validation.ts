import { resolve } from 'node:path';
import { type Finding, isAmong, renderFindings } from '../../../core/finding';
import { printable } from '../../../core/printable';
import { type DeclaredRuleset } from '../../../core/ruleset';
import { readSavedRuleset } from '../../../generate/read-source';
import { deploymentsOf, shownDeployment } from '../../../ruleset/protection';
import { type EntryPointSource } from '../../../zone/migration-call';
import { startValidation } from '../../../zone/start-validation';
import { consent } from '../../consent';
import { type CliContext, defineCommand } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { commandOf, CONFIG, ONE_ZONE, SERVICE } from '../../options';
import { requireZone, spelt, withZoneClient } from '../../zones';

export const MIGRATION_SOURCE = defineFlags({
  ...CONFIG,
  '--source <source>': { summary: 'what to send', choices: ['auto', 'config', 'live'] },
});

export const startValidationCommand = defineCommand({
  example: 'start-validation --zone example.com --config config.json',
  flags: {
    ...ONE_ZONE,
    ...MIGRATION_SOURCE,
    '--log-only': 'new rules only log, to compare both with review',
    ...SERVICE,
  },
  run: async (options, context) => {
    requireZone(options);
    const source = await readMigrationSource(options, context);
    return withZoneClient(options, context, async (client, zone) => {
      let listed: readonly Finding[] = [];
      const result = await startValidation(client, zone, {
        ...source,
        onlyLog: options.logOnly === true,
        confirm: ({ name }, declared, findings) => {
          listed = findings;
          const lists = { Zone: [`${name} (${zone})`], 'Rules to send': rulesOf(declared) };
          const question = 'Start validation mode? Only `finish` leaves it.';
          return consent({ lists, findings, question }, context);
        },
      });
      const { oldWaf, newWaf, migrationState, findings } = result;
      const name = spelt(options, zone);
      return {
        json: result,
        text: [
          `Zone ${name}: legacy WAF ${oldWaf}, new WAF ${newWaf}, migration state ${printable(migrationState, 40)}`,
          ...renderFindings(notListed(findings, listed, context)),
          'Wait 6 hours, then run `review`. `review --since` counts only events from now on; from Logpush, pass only files from now on.',
        ].join('\n'),
        next: commandOf('review', { zone: name, since: '6h', config: options.config }),
        exitCode: 0,
      };
    });
  },
});

export async function readMigrationSource(
  { source = 'auto', config }: OptionsOf<typeof MIGRATION_SOURCE>,
  { cwd }: CliContext,
): Promise<EntryPointSource> {
  if (config === undefined) return { source };
  return { source, given: await readSavedRuleset(resolve(cwd, config), source) };
}

/** The findings that were not listed before the call, which lists nothing with `--quiet`. */
export function notListed(
  findings: readonly Finding[],
  listed: readonly Finding[],
  { quiet }: CliContext,
): readonly Finding[] {
  return quiet ? findings : findings.filter((one) => !isAmong(one, listed));
}

/**
 * Each rule of a ruleset to send, with what it does.
 * @param longest characters of an expression, for a list of zones
 */
export function rulesOf({ rules }: DeclaredRuleset, longest = Infinity): string[] {
  const deployments = new Map(deploymentsOf(rules).map((one) => [one.rule, one]));
  return rules.map((rule) => {
    const { ref, action, enabled, expression } = rule;
    const deployed = deployments.get(rule);
    const state = enabled ? 'on ' : 'off';
    const other = `${state} ${printable(action, 20)} ${printable(ref, 60)}`;
    const what = deployed ? shownDeployment(deployed) : other;
    const isAlways = deployed !== undefined && expression === 'true';
    return `${what}${isAlways ? '' : ` where ${printable(expression, longest)}`}`;
  });
}
