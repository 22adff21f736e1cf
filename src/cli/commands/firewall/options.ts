import { type Command as Commander } from 'commander';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { type ServiceOptions, withService, withZone, type ZoneOption } from '../../options';

/** The zone and the id in the examples of this group. */
export const ZONE = '--zone 0123456789abcdef0123456789abcdef';
export const ID = '--id 00112233445566778899aabbccddeeff';

/** The flags that all commands of this group have. */
export type FirewallOptions = ServiceOptions & ZoneOption;

/** Adds the flags of {@link FirewallOptions}. */
export function withFirewall(command: Commander): Commander {
  return withService(withZone(command));
}

/** Adds `--id`. Required, but named by us: a mistyped flag is to be named first. */
export function withId(command: Commander, what: string): Commander {
  return command.option('--id <id>', `id of the ${what}, 32 hexadecimal digits (required)`);
}

/** @throws MigrationError `USAGE` */
export function requireOption(value: string | undefined, flag: string): string {
  if (value === undefined) throw new MigrationError('USAGE', `pass ${flag}`);
  return value;
}

/** The whole number that `--priority` was given. @throws MigrationError `USAGE` */
export function parsePriority(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new MigrationError('USAGE', `--priority "${printable(text, 20)}" is not a whole number`);
}

/** The fields that were given: a flag that was left out is not there. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> };
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
