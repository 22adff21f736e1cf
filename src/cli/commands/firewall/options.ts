import { type Command as Commander } from 'commander';
import { type Client } from '../../../cloudflare/client';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { consent } from '../../consent';
import { type CliContext, type CommandResult, type CommonOptions } from '../../context';
import {
  type ServiceOptions,
  withService,
  withYes,
  withZone,
  type ZoneOptions,
} from '../../options';
import { spelt, withZoneClient } from '../../zones';

/**
 * Runs a command of this group for the zone of `--zone`.
 * @throws MigrationError as {@link withZoneClient}
 */
export function forZone(
  options: FirewallOptions & CommonOptions,
  context: CliContext,
  use: (
    client: Client,
    zone: string,
  ) => Promise<Pick<CommandResult, 'json' | 'text'> & Partial<CommandResult>>,
): Promise<CommandResult> {
  return withZoneClient(options, context, async (client, zone) => ({
    next: `check --zone ${spelt(options, zone)}`,
    exitCode: 0,
    ...(await use(client, zone)),
  }));
}

/** The zone and the id in the examples of this group. */
export const ZONE = '--zone example.com';
export const ID = '--id 00112233445566778899aabbccddeeff';

/** The flags that all commands of this group have. */
export interface FirewallOptions extends ServiceOptions, ZoneOptions {
  readonly yes?: boolean;
}

/** Adds the flags of a command that lists. */
export function withListing(command: Commander): Commander {
  return withService(withZone(command));
}

/** Adds the flags of a command that changes something. */
export function withFirewall(command: Commander): Commander {
  return withYes(withListing(command));
}

/** Adds `--id`. Not a required option of commander: a mistyped flag is reported first. */
export function withId(command: Commander, what: string): Commander {
  return command.option('--id <id>', `id of the ${what} (required)`);
}

/**
 * Lists what is about to change, and asks.
 * @param change its name, and what it is or becomes: `Create firewall rule`
 * @param fields flags as they are sent, or lines about the existing object
 * @throws MigrationError `DECLINED`
 */
export async function confirmChange(
  change: string,
  fields: object | readonly string[],
  zone: string,
  options: FirewallOptions & CommonOptions,
  context: CliContext,
): Promise<void> {
  const lines = Array.isArray(fields)
    ? fields.map(String)
    : Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const lists = { Zone: [zone], [change]: lines };
  await consent({ lists, question: `${change}?` }, options, context);
}

/** @throws MigrationError `USAGE` */
export function requireOption(value: string | undefined, flag: string): string {
  if (value === undefined) throw new MigrationError('USAGE', `pass ${flag}`);
  return value;
}

/** The value of `--priority` as a whole number. @throws MigrationError `USAGE` */
export function parsePriority(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new MigrationError('USAGE', `--priority "${printable(text, 20)}" is not a whole number`);
}

/** The given fields, without omitted flags. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> };
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** @throws MigrationError `USAGE` if no flag names a field */
export function requireChanges<T extends object>(fields: T): T {
  if (Object.keys(fields).length > 0) return fields;
  throw new MigrationError('USAGE', 'nothing to change: pass the fields that change');
}
