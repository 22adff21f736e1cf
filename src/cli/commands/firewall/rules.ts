import { relative, resolve } from 'node:path';
import { type Command as Commander, Option } from 'commander';
import {
  type FirewallRule,
  type FirewallRuleFields,
  firewallRules,
} from '../../../cloudflare/firewall';
import { renderFindings } from '../../../core/finding';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { createRule } from '../../../firewall/create-rule';
import { changeRule, removeRule, requireRuleFields } from '../../../firewall/rules';
import { BACKUP_FOLDER } from '../../../plan/paths';
import { notify } from '../../context';
import {
  firewallCommand,
  type FirewallOptions,
  given,
  ID,
  parsePriority,
  requireChanges,
  requireId,
  requireOption,
  withId,
  ZONE,
} from './firewall-command';

const EMERGENCY =
  'The simplified sequence is for emergencies: nothing is undone if one of the two calls fails, and the filter can be neither changed nor deleted afterwards.';

/** `firewall rules`. */
export const ruleCommands = {
  list: firewallCommand<RuleOptions>({
    summary: 'List the firewall rules of the zone with their filters',
    example: `rules list ${ZONE}`,
    read:
      () =>
      async ({ client, zone }) => {
        const rules: FirewallRule[] = [];
        for await (const rule of firewallRules.list(client, zone)) rules.push(rule);
        const text = rules.length === 0 ? 'no firewall rules' : rules.map(render).join('\n');
        return { json: { rules }, text };
      },
  }),
  create: firewallCommand<RuleOptions>({
    summary: 'Create a filter and the firewall rule that uses it',
    example: `rules create ${ZONE} --expression 'ip.src eq 192.0.2.1' --action block`,
    define: (command) =>
      withRuleFields(command)
        .option('--expression <expression>', 'what its filter matches')
        .option('--paused', 'create it paused')
        .addOption(
          new Option('--sequence <sequence>', 'order of calls; simplified is for emergencies')
            .choices(['recommended', 'simplified'])
            .default('recommended'),
        ),
    read: (options, context) => {
      const { expression, filterId, sequence } = options;
      const action = requireOption(options.action, '--action <action>');
      const flags = '--expression <expression> or --filter-id <id>';
      const filter =
        filterId === undefined
          ? { expression: requireOption(expression, flags) }
          : { id: filterId };
      if (filterId !== undefined && (expression !== undefined || sequence === 'simplified')) {
        throw new MigrationError('USAGE', '--filter-id refers to a filter that exists');
      }
      const fields = { ...readRuleFields(options), action };
      requireRuleFields(fields);
      return async ({ client, zone, confirm }) => {
        if (sequence === 'simplified') notify(options, context, `${EMERGENCY}\n`);
        await confirm('Create firewall rule', { ...fields, filter });
        const rule = await createRule(client, { zoneId: zone, fields, filter, sequence });
        return { json: { rule }, text: render(rule) };
      };
    },
  }),
  update: firewallCommand<RuleOptions>({
    summary: 'Change a firewall rule, and its filter',
    example: `rules update ${ZONE} ${ID} --action log`,
    define: (command) =>
      withRuleFields(withId(command, 'firewall rule'))
        .option('--paused', 'pause it')
        .option('--no-paused', 'resume it'),
    read: (options) => {
      const id = requireId(options);
      const { action, filterId } = options;
      const changes = requireChanges({
        ...readRuleFields(options),
        ...given({ action, filterId }),
      });
      return async ({ client, zone, confirm }) => {
        await confirm('Update firewall rule', { id, ...changes });
        const rule = await changeRule(client, zone, id, changes);
        return { json: { rule }, text: render(rule) };
      };
    },
  }),
  delete: firewallCommand<RuleOptions>({
    summary: 'Save a firewall rule to a file, then delete it',
    example: `rules delete ${ZONE} ${ID}`,
    define: (command) => withId(command, 'firewall rule'),
    read: (options, { cwd }) => {
      const id = requireId(options);
      return async ({ client, zone, confirm }) => {
        await confirm('Delete firewall rule', { id });
        const folder = resolve(cwd, BACKUP_FOLDER);
        const removed = await removeRule(client, zone, id, folder);
        const { filter, findings } = removed;
        const file = relative(cwd, removed.file);
        return {
          json: { ...removed, file },
          text: [
            `deleted firewall rule ${id}, saved in ${printable(file)}`,
            `${filter.deleted ? 'deleted' : 'kept'} filter ${printable(filter.id, 32)}`,
            ...renderFindings(findings),
          ].join('\n'),
          exitCode: findings.length === 0 ? 0 : 2,
        };
      };
    },
  }),
};

function render({ id, action, paused, priority, description, products, filter }: FirewallRule) {
  return [
    printable(id, 32),
    paused ? ' (paused)' : '',
    `  ${printable([action, ...(products ?? [])].join(' '), 100)}`,
    priority === null ? '' : ` at ${priority}`,
    `  where ${printable(filter.expression ?? 'its filter is gone', 300)} (${printable(filter.id, 32)}${filter.paused === true ? ', paused' : ''})`,
    typeof description !== 'string' ? '' : `  # ${printable(description, 80)}`,
  ].join('');
}

/** The flags of the commands for firewall rules. */
interface RuleOptions extends FirewallOptions {
  readonly filterId?: string;
  readonly expression?: string;
  readonly action?: string;
  readonly product?: string[];
  readonly priority?: string;
  readonly description?: string;
  readonly ref?: string;
  readonly paused?: boolean;
  readonly sequence: 'recommended' | 'simplified';
}

/** The actions of the providers (3.35, `cloudflare_firewall_rule`). */
const ACTIONS = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'allow',
  'log',
  'bypass',
];

/** Adds the flags for the fields of a rule. */
function withRuleFields(command: Commander): Commander {
  return command
    .option('--filter-id <id>', 'an existing filter')
    .addOption(new Option('--action <action>', 'what happens to a match').choices(ACTIONS))
    .option('--product <product...>', 'what the action bypass skips, such as waf')
    .option('--priority <number>', 'rules with lower numbers run first')
    .option('--description <text>', 'what it is for')
    .option('--ref <ref>', 'a name of your own');
}

/** @throws MigrationError `USAGE` */
function readRuleFields(options: RuleOptions): Partial<Omit<FirewallRuleFields, 'action'>> {
  const { product: products, description, ref, paused } = options;
  const priority = parsePriority(options.priority);
  return given({ products, description, ref, paused, priority });
}
