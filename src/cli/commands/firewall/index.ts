import { type Command as Commander } from 'commander';
import { type AddCommand } from '../../context';
import {
  createFilterCommand,
  deleteFilterCommand,
  listFiltersCommand,
  updateFilterCommand,
} from './filters';
import {
  createOverrideCommand,
  deleteOverrideCommand,
  listOverridesCommand,
  updateOverrideCommand,
} from './overrides';
import { createRuleCommand, deleteRuleCommand, listRulesCommand, updateRuleCommand } from './rules';

/** `firewall filters|rules|overrides`. */
export function addFirewallCommands(firewall: Commander, add: AddCommand): void {
  const filters = firewall.command('filters').description('Manage filters, which rules share');
  add(named(filters, 'list', 'List the filters of the zone'), listFiltersCommand);
  add(named(filters, 'create', 'Create a filter for firewall rules'), createFilterCommand);
  add(
    named(filters, 'update', 'Change fields of a filter, for every rule that uses it'),
    updateFilterCommand,
  );
  add(named(filters, 'delete', 'Delete a filter that no firewall rule uses'), deleteFilterCommand);
  const rules = firewall
    .command('rules')
    .description('Manage firewall rules: an action per filter');
  add(
    named(rules, 'list', 'List the firewall rules of the zone with their filters'),
    listRulesCommand,
  );
  add(
    named(rules, 'create', 'Create a filter and the firewall rule that uses it'),
    createRuleCommand,
  );
  add(
    named(rules, 'update', 'Change fields of a firewall rule; its expression first, in its filter'),
    updateRuleCommand,
  );
  add(
    named(rules, 'delete', 'Save a firewall rule to a file, then delete it and its filter'),
    deleteRuleCommand,
  );
  const overrides = firewall
    .command('overrides')
    .description('Manage URI overrides of the legacy WAF, which block a migration');
  add(named(overrides, 'list', 'List the URI overrides of the zone'), listOverridesCommand);
  add(
    named(overrides, 'create', 'Create an override from a file that `delete` saved, or from flags'),
    createOverrideCommand,
  );
  add(named(overrides, 'update', 'Change fields of an override'), updateOverrideCommand);
  add(
    named(overrides, 'delete', 'Save overrides to files that can restore them, then delete them'),
    deleteOverrideCommand,
  );
}

function named(parent: Commander, name: string, summary: string): Commander {
  return parent.command(name).description(summary);
}
