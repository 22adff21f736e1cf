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
  const group = (name: string, summary: string) => {
    const parent = firewall.command(name).description(summary);
    return (command: string, text: string): Commander => parent.command(command).description(text);
  };
  const filter = group('filters', 'Manage filters, which firewall rules share');
  add(filter('list', 'List the filters of the zone'), listFiltersCommand);
  add(filter('create', 'Create a filter for firewall rules'), createFilterCommand);
  add(filter('update', 'Change a filter, for every rule that uses it'), updateFilterCommand);
  add(filter('delete', 'Delete a filter that no firewall rule uses'), deleteFilterCommand);
  const rule = group('rules', 'Manage firewall rules: an action for each filter');
  add(rule('list', 'List the firewall rules of the zone with their filters'), listRulesCommand);
  add(rule('create', 'Create a filter and the firewall rule that uses it'), createRuleCommand);
  add(rule('update', 'Change a firewall rule, and its filter'), updateRuleCommand);
  add(rule('delete', 'Save a firewall rule to a file, then delete it'), deleteRuleCommand);
  const override = group('overrides', 'Manage URI overrides, which block a migration');
  add(override('list', 'List the URI overrides of the zone'), listOverridesCommand);
  add(override('create', 'Create an override from a saved file or flags'), createOverrideCommand);
  add(override('update', 'Change an override'), updateOverrideCommand);
  add(override('delete', 'Save overrides to files, then delete them'), deleteOverrideCommand);
}
