import { type Command as Commander } from 'commander';
import { type AddCommand } from '../firewall';
import { fleetStatusCommand } from './status';

/** `fleet status`: what the ledger of many zones records. */
export function addFleetCommands(program: Commander, add: AddCommand): void {
  const fleet = program.command('fleet').description('where many zones stand, by their ledger');
  add(fleet, fleetStatusCommand);
}
