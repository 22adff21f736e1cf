import { relative, resolve } from 'node:path';
import {
  type Filter,
  filters,
  type FirewallRule,
  firewallRules,
} from '../../../cloudflare/firewall';
import { renderFindings } from '../../../core/finding';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import {
  changeFilter,
  changeRule,
  createRule,
  removeFilter,
  removeRule,
  requireProducts,
} from '../../../firewall/rules';
import { BACKUP_FOLDER } from '../../../files/backups';
import { type CommandGroup } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import {
  cell,
  FIELDS,
  firewallCommand,
  given,
  ID,
  resultOfList,
  OF_ID,
  OF_ZONE,
  parsePriority,
  requireChanges,
  required,
} from './firewall-command';

const FILTER_FIELDS = defineFlags({
  '--expression <expression>': 'what it matches, in the ruleset expression language',
  ...FIELDS,
});
const RULE_FIELDS = defineFlags({
  '--filter-id <id>': 'an existing filter',
  // the actions of the providers (3.35, `cloudflare_firewall_rule`)
  '--action <action>': {
    summary: 'what happens to a match',
    choices: ['block', 'challenge', 'js_challenge', 'managed_challenge', 'allow', 'log', 'bypass'],
  },
  '--product <product...>': {
    summary: 'what the action bypass skips, such as waf',
    choices: ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'],
  },
  '--priority <number>': 'rules with lower numbers run first',
  ...FIELDS,
});
const EMERGENCY =
  'The simplified sequence is for emergencies: nothing is undone if one of the two calls fails, and the filter can be neither changed nor deleted afterwards.';

const filterCommands: CommandGroup = {
  summary: 'Manage filters, which firewall rules share',
  commands: {
    list: firewallCommand({
      summary: 'List the filters of the zone',
      example: `filters list ${OF_ZONE}`,
      flags: {},
      run: async (_, { client, zone }) =>
        resultOfList('filters', await filters.list(client, zone), renderFilter),
    }),
    create: firewallCommand({
      summary: 'Create a filter for firewall rules',
      example: `filters create ${OF_ZONE} --expression 'ip.src eq 192.0.2.1'`,
      flags: FILTER_FIELDS,
      run: async (options, { client, zone, confirm }) => {
        const expression = required(options.expression, '--expression <expression>');
        const draft = { ...readFilterFields(options), expression };
        await confirm('Create filter', draft);
        const filter = await filters.create(client, zone, draft);
        return { json: { filter }, text: renderFilter(filter) };
      },
    }),
    update: firewallCommand({
      summary: 'Change a filter, for every rule that uses it',
      example: `filters update ${OF_ID} --no-paused`,
      flags: { ...ID, ...FILTER_FIELDS },
      run: async (options, { client, zone, confirm }) => {
        const id = required(options.id, '--id <id>');
        const changes = requireChanges(readFilterFields(options));
        await confirm('Update filter', changes, renderFilter(await filters.read(client, zone, id)));
        const filter = await changeFilter(client, zone, id, changes);
        return { json: { filter }, text: renderFilter(filter) };
      },
    }),
    delete: firewallCommand({
      summary: 'Delete a filter that no firewall rule uses',
      example: `filters delete ${OF_ID}`,
      flags: ID,
      run: async (options, { client, zone, confirm }) => {
        const id = required(options.id, '--id <id>');
        await confirm('Delete filter', [renderFilter(await filters.read(client, zone, id))]);
        await removeFilter(client, zone, id);
        return { json: { deleted: id }, text: `deleted filter ${id}` };
      },
    }),
  },
};

const ruleCommands: CommandGroup = {
  summary: 'Manage firewall rules: an action for each filter',
  commands: {
    list: firewallCommand({
      summary: 'List the firewall rules of the zone with their filters',
      example: `rules list ${OF_ZONE}`,
      flags: {},
      run: async (_, { client, zone }) =>
        resultOfList('rules', await firewallRules.list(client, zone), renderRule),
    }),
    create: firewallCommand({
      summary: 'Create a filter and the firewall rule that uses it',
      example: `rules create ${OF_ZONE} --expression 'ip.src eq 192.0.2.1' --action block`,
      flags: {
        ...RULE_FIELDS,
        '--expression <expression>': 'what its filter matches',
        '--sequence <sequence>': {
          summary: 'order of calls; simplified is for emergencies',
          choices: ['recommended', 'simplified'],
          usual: 'recommended',
        },
      },
      run: async (options, { client, zone, context, confirm }) => {
        const { expression, filterId, sequence } = options;
        const action = required(options.action, '--action <action>');
        const flags = '--expression <expression> or --filter-id <id>';
        const filter =
          filterId === undefined ? { expression: required(expression, flags) } : { id: filterId };
        if (filterId !== undefined && (expression !== undefined || sequence === 'simplified')) {
          throw new MigrationError('USAGE', '--filter-id refers to a filter that exists');
        }
        const fields = { ...readRuleFields(options), action };
        requireProducts(fields);
        if (sequence === 'simplified') context.notify(EMERGENCY);
        await confirm('Create firewall rule', { ...fields, filter });
        const rule = await createRule(client, { zoneId: zone, fields, filter, sequence });
        return { json: { rule }, text: renderRule(rule) };
      },
    }),
    update: firewallCommand({
      summary: 'Change a firewall rule, or select another filter for it',
      example: `rules update ${OF_ID} --action log`,
      flags: { ...ID, ...RULE_FIELDS },
      run: async ({ action, filterId, ...options }, { client, zone, confirm }) => {
        const id = required(options.id, '--id <id>');
        const fields = readRuleFields(options);
        const changes = requireChanges({ ...fields, ...given({ action, filterId }) });
        const current = await firewallRules.read(client, zone, id);
        await confirm('Update firewall rule', changes, renderRule(current));
        const rule = await changeRule(client, zone, id, changes);
        return { json: { rule }, text: renderRule(rule) };
      },
    }),
    delete: firewallCommand({
      summary: 'Save a firewall rule and its filter to a file, then delete both',
      example: `rules delete ${OF_ID}`,
      flags: ID,
      run: async (options, { client, zone, context: { cwd }, confirm }) => {
        const id = required(options.id, '--id <id>');
        const rule = await firewallRules.read(client, zone, id);
        const note = 'deleted too, unless another rule uses it';
        await confirm('Delete firewall rule', [
          renderRule(rule),
          `its filter ${cell(rule.filter.id, 32)}, ${note}`,
        ]);
        const removed = await removeRule(client, zone, id, resolve(cwd, BACKUP_FOLDER));
        const { filter, findings } = removed;
        const file = relative(cwd, removed.file);
        const text = [
          `deleted firewall rule ${id}, saved in ${printable(file)}`,
          `${filter.deleted ? 'deleted' : 'kept'} filter ${printable(filter.id, 32)}`,
          ...renderFindings(findings),
        ].join('\n');
        return { json: { ...removed, file }, text, exitCode: findings.length === 0 ? 0 : 2 };
      },
    }),
  },
};

export const firewallCommands = { filters: filterCommands, rules: ruleCommands };

function readFilterFields(options: OptionsOf<typeof FILTER_FIELDS>) {
  const { expression, description, paused } = options;
  return given({ expression, description, paused });
}

function readRuleFields(options: OptionsOf<typeof RULE_FIELDS>) {
  const { product: products, description, paused } = options;
  return given({ products, description, paused, priority: parsePriority(options.priority) });
}

function renderFilter({ id, expression, paused, description }: Filter): string {
  const note = typeof description !== 'string' ? '' : `  # ${cell(description, 80)}`;
  return `${cell(id, 32)}${paused ? ' (paused)' : ''}  ${cell(expression, 300)}${note}`;
}

function renderRule({ id, action, paused, priority, description, products, filter }: FirewallRule) {
  return [
    cell(id, 32),
    paused ? ' (paused)' : '',
    `  ${cell([action, ...(products ?? [])].join(' '), 100)}`,
    priority === null ? '' : ` at ${priority}`,
    `  where ${cell(filter.expression ?? 'its filter is gone', 300)} (${cell(filter.id, 32)}${filter.paused === true ? ', paused' : ''})`,
    typeof description !== 'string' ? '' : `  # ${cell(description, 80)}`,
  ].join('');
}
