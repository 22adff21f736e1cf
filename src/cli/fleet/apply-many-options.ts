import { type Command as Commander } from 'commander';
import { type FleetOptions, withFleetOfPlans } from './fleet-options';
import { type WaveOptions, withWaves } from './wave-options';

/** Flags of `apply` for many zones. */
export interface ApplyManyOptions extends FleetOptions, WaveOptions {
  readonly confirm?: string;
}

/** Adds the flags of {@link ApplyManyOptions}. */
export function withApplyMany(command: Commander): Commander {
  return withWaves(withFleetOfPlans(command)).option(
    '--confirm <list>',
    '<count>:<hash> of many zones and their plans; without it a terminal is asked',
  );
}
