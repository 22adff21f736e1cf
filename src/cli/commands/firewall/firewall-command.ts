import { type Command as Commander } from 'commander';
import { type Client } from '../../../cloudflare/client';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { consent } from '../../consent';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from '../../context';
import { type ServiceOptions, withService, withZone, type ZoneOptions } from '../../options';
import { requireZone, spelt, withZoneClient } from '../../zones';

/** The flags that all commands of this group have. */
export interface FirewallOptions extends ServiceOptions, ZoneOptions {
  readonly id?: string;
}

/** What a command of this group works on. */
interface FirewallRun {
  readonly client: Client;
  readonly zone: string;
  /**
   * Lists what is about to change, and asks.
   * @param change its name, and what it is or becomes: `Create firewall rule`
   * @param fields flags as they are sent, or lines of what there is
   * @throws MigrationError `DECLINED`
   */
  readonly confirm: (change: string, fields: object | readonly string[]) => Promise<void>;
}

type FirewallResult = Pick<CommandResult, 'json' | 'text'> & Partial<CommandResult>;

/** A command of this group, and its line in the help of the group. */
export interface FirewallCommand<Options> {
  readonly summary: string;
  readonly command: CliCommand<Options>;
}

/** The zone and the id in the examples of this group. */
export const ZONE = '--zone example.com';
export const ID = '--id 00112233445566778899aabbccddeeff';

/** Defines a command for the zone of `--zone`. `read` checks the flags before the API is called. */
export function firewallCommand<Options extends FirewallOptions>({
  summary,
  example,
  define = (command) => command,
  read,
}: {
  readonly summary: string;
  readonly example: string;
  readonly define?: (command: Commander) => Commander;
  readonly read: (
    options: Options & CommonOptions,
    context: CliContext,
  ) => (run: FirewallRun) => Promise<FirewallResult>;
}): FirewallCommand<Options> {
  return {
    summary,
    command: {
      example: `firewall ${example}`,
      define: (command) => define(withService(withZone(command))),
      run: (options, context) => {
        requireZone(options);
        const use = read(options, context);
        return withZoneClient(options, context, async (client, zone) => {
          const confirm: FirewallRun['confirm'] = (change, fields) => {
            const lists = { Zone: [zone], [change]: linesOf(fields) };
            return consent({ lists, question: `${change}?` }, options, context);
          };
          const next = `check --zone ${spelt(options, zone)}`;
          return { next, exitCode: 0, ...(await use({ client, zone, confirm })) };
        });
      },
    },
  };
}

function linesOf(fields: object | readonly string[]): string[] {
  if (Array.isArray(fields)) return fields.map(String);
  return Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

/** Adds `--id`. Not a required option of commander: a mistyped flag is reported first. */
export function withId(command: Commander, what: string): Commander {
  return command.option('--id <id>', `id of the ${what} (required)`);
}

/** @throws MigrationError `USAGE` */
export function requireId({ id }: FirewallOptions): string {
  return requireOption(id, '--id <id>');
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

/** @throws MigrationError `USAGE` where no flag names a field */
export function requireChanges<T extends object>(fields: T): T {
  if (Object.keys(fields).length > 0) return fields;
  throw new MigrationError('USAGE', 'nothing to change: pass the fields that change');
}
