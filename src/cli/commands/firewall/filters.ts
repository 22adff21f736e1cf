import { type Command as Commander } from 'commander';
import { type Filter, filters as endpoint } from '../../../cloudflare/firewall';
import { printable } from '../../../core/printable';
import { changeFilter, removeFilter } from '../../../firewall/filters';
import { type CommandResult } from '../../context';
import {
  firewallCommand,
  type FirewallOptions,
  given,
  ID,
  requireChanges,
  requireId,
  requireOption,
  withId,
  ZONE,
} from './firewall-command';

interface FilterOptions extends FirewallOptions {
  readonly expression?: string;
  readonly description?: string;
  readonly ref?: string;
  readonly paused?: boolean;
}

const withFields = (command: Commander): Commander =>
  command
    .option('--expression <expression>', 'what it matches, in the ruleset expression language')
    .option('--description <text>', 'what it is for')
    .option('--ref <ref>', 'a name of your own');

/** `firewall filters`. */
export const filterCommands = {
  list: firewallCommand<FilterOptions>({
    summary: 'List the filters of the zone',
    example: `filters list ${ZONE}`,
    read:
      () =>
      async ({ client, zone }) => {
        const filters: Filter[] = [];
        for await (const filter of endpoint.list(client, zone)) filters.push(filter);
        return { json: { filters }, text: render(filters) };
      },
  }),
  create: firewallCommand<FilterOptions>({
    summary: 'Create a filter for firewall rules',
    example: `filters create ${ZONE} --expression 'ip.src eq 192.0.2.1'`,
    define: (command) => withFields(command).option('--paused', 'create it paused'),
    read: (options) => {
      const expression = requireOption(options.expression, '--expression <expression>');
      const { description, ref, paused } = options;
      const draft = { expression, ...given({ description, ref, paused }) };
      return async ({ client, zone, confirm }) => {
        await confirm('Create filter', draft);
        return shown(await endpoint.create(client, zone, draft));
      };
    },
  }),
  update: firewallCommand<FilterOptions>({
    summary: 'Change a filter, for every rule that uses it',
    example: `filters update ${ZONE} ${ID} --no-paused`,
    define: (command) =>
      withFields(withId(command, 'filter'))
        .option('--paused', 'pause it')
        .option('--no-paused', 'resume it'),
    read: (options) => {
      const id = requireId(options);
      const { expression, description, ref, paused } = options;
      const changes = requireChanges(given({ expression, description, ref, paused }));
      return async ({ client, zone, confirm }) => {
        await confirm('Update filter', { id, ...changes });
        return shown(await changeFilter(client, zone, id, changes));
      };
    },
  }),
  delete: firewallCommand<FilterOptions>({
    summary: 'Delete a filter that no firewall rule uses',
    example: `filters delete ${ZONE} ${ID}`,
    define: (command) => withId(command, 'filter'),
    read: (options) => {
      const id = requireId(options);
      return async ({ client, zone, confirm }) => {
        await confirm('Delete filter', { id });
        await removeFilter(client, zone, id);
        return { json: { deleted: id }, text: `deleted filter ${id}` };
      };
    },
  }),
};

function shown(filter: Filter): Pick<CommandResult, 'json' | 'text'> {
  return { json: { filter }, text: render([filter]) };
}

function render(filters: readonly Filter[]): string {
  if (filters.length === 0) return 'no filters';
  return filters
    .map(({ id, expression, paused, description }) => {
      const note = typeof description !== 'string' ? '' : `  # ${printable(description, 80)}`;
      return `${printable(id, 32)}${paused ? ' (paused)' : ''}  ${printable(expression, 300)}${note}`;
    })
    .join('\n');
}
