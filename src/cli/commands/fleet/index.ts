import { type Command as Commander } from 'commander';
import { type AddCommand } from '../firewall';
import { fleetMergeCommand } from './merge';
import { fleetStatusCommand } from './status';

/** `fleet status|merge`: what the ledgers of many zones know. */
export function addFleetCommands(program: Commander, add: AddCommand): void {
  const fleet = program.command('fleet').description('where many zones stand, by their ledger');
  add(fleet, fleetStatusCommand);
  add(fleet, fleetMergeCommand);
}
