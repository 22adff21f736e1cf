import { type Command as Commander } from 'commander';
import { type Filter, filters as endpoint } from '../../../cloudflare/firewall';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { changeFilter, removeFilter } from '../../../firewall/filters';
import { withClient } from '../../client';
import { type CliCommand } from '../../context';
import { requireZone } from '../../options';
import {
  type FirewallOptions,
  given,
  ID,
  requireOption,
  withFirewall,
  withId,
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
  define: withFirewall,
  run: async (options, context) => {
    const zone = requireZone(options);
    return withClient(options, context, async (client) => {
      const filters: Filter[] = [];
      for await (const filter of endpoint.list(client, zone)) filters.push(filter);
      return { json: { filters }, text: render(filters), exitCode: 0 };
    });
  },
};

/** `firewall filters create`. */
export const createFilterCommand: CliCommand<FilterOptions> = {
  example: `firewall filters create ${ZONE} --expression 'ip.src eq 192.0.2.1'`,
  define: (command) =>
    withFields(command).option('--paused', 'matches nothing until it is resumed'),
  run: async (options, context) => {
    const zone = requireZone(options);
    const expression = requireOption(options.expression, '--expression <expression>');
    const { description, ref, paused } = options;
    return withClient(options, context, async (client) => {
      const draft = { expression, ...given({ description, ref, paused }) };
      const filter = await endpoint.create(client, zone, draft);
      return { json: { filter }, text: render([filter]), exitCode: 0 };
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
  run: async (options, context) => {
    const zone = requireZone(options);
    const id = requireOption(options.id, '--id <id>');
    const { expression, description, ref, paused } = options;
    const changes = given({ expression, description, ref, paused });
    if (Object.keys(changes).length === 0) {
      throw new MigrationError('USAGE', 'nothing is to be changed: pass the fields that are');
    }
    return withClient(options, context, async (client) => {
      const filter = await changeFilter(client, zone, id, changes);
      return { json: { filter }, text: render([filter]), exitCode: 0 };
    });
  },
};

/** `firewall filters delete`. */
export const deleteFilterCommand: CliCommand<FilterOptions> = {
  example: `firewall filters delete ${ZONE} ${ID}`,
  define: (command) => withFirewall(withId(command, 'filter')),
  run: async (options, context) => {
    const zone = requireZone(options);
    const id = requireOption(options.id, '--id <id>');
    return withClient(options, context, async (client) => {
      await removeFilter(client, zone, id);
      return { json: { deleted: id }, text: `deleted filter ${id}`, exitCode: 0 };
    });
  },
};

function render(filters: readonly Filter[]): string {
  if (filters.length === 0) return 'no filters';
  return filters
    .map(({ id, expression, paused, description }) => {
      const note = typeof description !== 'string' ? '' : `  # ${printable(description, 80)}`;
      return `${printable(id, 32)}${paused ? ' (paused)' : ''}  ${printable(expression, 300)}${note}`;
    })
    .join('\n');
}
