import { type Command as Commander } from 'commander';
import { type AddCommand } from '../../context';
import { filterCommands } from './filters';
import { type FirewallCommand } from './firewall-command';
import { overrideCommands } from './overrides';
import { ruleCommands } from './rules';

/** `firewall filters|rules|overrides`. */
export function addFirewallCommands(firewall: Commander, add: AddCommand): void {
  const addGroup = <Options>(
    name: string,
    description: string,
    commands: Readonly<Record<string, FirewallCommand<Options>>>,
  ): void => {
    const group = firewall.command(name).description(description);
    for (const [verb, { summary, command }] of Object.entries(commands)) {
      add(group.command(verb).description(summary), command);
    }
  };
  addGroup('filters', 'Manage filters, which firewall rules share', filterCommands);
  addGroup('rules', 'Manage firewall rules: an action for each filter', ruleCommands);
  addGroup('overrides', 'Manage URI overrides, which block a migration', overrideCommands);
}
