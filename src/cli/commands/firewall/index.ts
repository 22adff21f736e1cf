import { type Command as Commander } from 'commander';
import { type CliCommand } from '../../command';
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

/** Adds one command to a parent. */
export type AddCommand = <Options>(parent: Commander, command: CliCommand<Options>) => void;

/** `firewall filters|rules|overrides`: the interfaces of the service's first half. */
export function addFirewallCommands(program: Commander, add: AddCommand): void {
  const firewall = program
    .command('firewall')
    .description('filters, firewall rules, and the overrides that keep a zone from migrating');
  const filters = firewall.command('filters').description('match expressions that rules share');
  add(filters, listFiltersCommand);
  add(filters, createFilterCommand);
  add(filters, updateFilterCommand);
  add(filters, deleteFilterCommand);
  const rules = firewall.command('rules').description('actions for what a filter matches');
  add(rules, listRulesCommand);
  add(rules, createRuleCommand);
  add(rules, updateRuleCommand);
  add(rules, deleteRuleCommand);
  const overrides = firewall.command('overrides').description('URI-based overrides of the old WAF');
  add(overrides, listOverridesCommand);
  add(overrides, createOverrideCommand);
  add(overrides, updateOverrideCommand);
  add(overrides, deleteOverrideCommand);
}
