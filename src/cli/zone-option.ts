import { type Command as Commander, InvalidArgumentError } from 'commander';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';

/** The zone of the commands that work on one. */
export interface ZoneOption {
  readonly zone?: string;
}

/** Adds `--zone`. Not as a required option of commander: a mistyped flag is to be named first. */
export function withZone(command: Commander): Commander {
  return command.option('--zone <id>', 'the zone by its id, 32 hexadecimal digits', once);
}

/**
 * The zone that was given, checked before anything else is looked at.
 * @throws MigrationError `USAGE`, `ZONE_ID_INVALID`
 */
export function requireZone({ zone }: ZoneOption): string {
  if (zone === undefined) throw new MigrationError('USAGE', 'pass the zone: --zone <id>');
  return parseZoneId(zone);
}

function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError('It takes one zone at a time.');
  return value;
}
