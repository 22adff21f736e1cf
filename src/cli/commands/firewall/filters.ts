import { type Command as Commander } from 'commander';
import { type Filter, filters as endpoint } from '../../../cloudflare/firewall';
import { printable } from '../../../core/printable';
import { changeFilter, removeFilter } from '../../../firewall/filters';
import { type CliCommand, type CommandResult } from '../../context';
import { requireZone } from '../../zones';
import {
  confirmChange,
  type FirewallOptions,
  forZone,
  given,
  ID,
  requireChanges,
  requireOption,
  withFirewall,
  withId,
  withListing,
  ZONE,
} from './options';

interface FilterOptions extends FirewallOptions {
  readonly id?: string;
  readonly expression?: string;
  readonly description?: string;
  readonly ref?: string;
  readonly paused?: boolean;
}

const withFields = (command: Commander): Commander =>
  withFirewall(command)
    .option('--expression <expression>', 'what it matches, in the ruleset expression language')
    .option('--description <text>', 'what it is for')
    .option('--ref <ref>', 'a name of your own');

/** `firewall filters list`. */
export const listFiltersCommand: CliCommand<FilterOptions> = {
  example: `firewall filters list ${ZONE}`,
  define: withListing,
  run: (options, context) =>
    forZone(options, context, async (client, zone) => {
      const filters: Filter[] = [];
      for await (const filter of endpoint.list(client, zone)) filters.push(filter);
      return {
        json: { filters },
        text: render(filters),
      };
    }),
};

/** `firewall filters create`. */
export const createFilterCommand: CliCommand<FilterOptions> = {
  example: `firewall filters create ${ZONE} --expression 'ip.src eq 192.0.2.1'`,
  define: (command) => withFields(command).option('--paused', 'create it paused'),
  run: (options, context) => {
    requireZone(options);
    const expression = requireOption(options.expression, '--expression <expression>');
    const { description, ref, paused } = options;
    const draft = { expression, ...given({ description, ref, paused }) };
    return forZone(options, context, async (client, zone) => {
      await confirmChange('Create filter', draft, zone, options, context);
      return shown(await endpoint.create(client, zone, draft));
    });
  },
};

/** `firewall filters update`. */
export const updateFilterCommand: CliCommand<FilterOptions> = {
  example: `firewall filters update ${ZONE} ${ID} --no-paused`,
  define: (command) =>
    withFields(withId(command, 'filter'))
      .option('--paused', 'pause it')
      .option('--no-paused', 'resume it'),
  run: (options, context) => {
    requireZone(options);
    const id = requireOption(options.id, '--id <id>');
    const { expression, description, ref, paused } = options;
    const changes = requireChanges(given({ expression, description, ref, paused }));
    return forZone(options, context, async (client, zone) => {
      await confirmChange('Update filter', { id, ...changes }, zone, options, context);
      return shown(await changeFilter(client, zone, id, changes));
    });
  },
};

/** `firewall filters delete`. */
export const deleteFilterCommand: CliCommand<FilterOptions> = {
  example: `firewall filters delete ${ZONE} ${ID}`,
  define: (command) => withFirewall(withId(command, 'filter')),
  run: (options, context) => {
    requireZone(options);
    const id = requireOption(options.id, '--id <id>');
    return forZone(options, context, async (client, zone) => {
      await confirmChange('Delete filter', { id }, zone, options, context);
      await removeFilter(client, zone, id);
      return { json: { deleted: id }, text: `deleted filter ${id}` };
    });
  },
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
