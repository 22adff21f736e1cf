import { secureBackupFolder } from '../../../apply/journal/secure-backup-folder';
import { type Client } from '../../../cloudflare/client';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { consent } from '../../consent';
import { type CliCommand, type CliContext, type CommandResult } from '../../context';
import { defineFlags, type Flags, type OptionsOf } from '../../flags';
import { ONE_ZONE, SERVICE, type ServiceOptions, type ZoneOptions } from '../../options';
import { spelt, withZoneClient } from '../../zones';

export const ID = defineFlags({ '--id <id>': 'its id (required)' });
export const FIELDS = defineFlags({
  '--description <text>': 'what it is for',
  '--paused': 'pause it',
  '--no-paused': 'resume it',
});

export const OF_ZONE = '--zone example.com';
export const OF_ID = `${OF_ZONE} --id 00112233445566778899aabbccddeeff`;

interface Tools {
  readonly client: Client;
  readonly zone: string;
  readonly context: CliContext;
  /**
   * Lists what is about to change, and asks.
   * @param change its name, and what it is or becomes: `Create firewall rule`
   * @param fields flags as they are sent, or lines of what there is
   * @param current the object that the fields change
   */
  readonly confirm: (
    change: string,
    fields: object | readonly string[],
    current?: string,
  ) => Promise<void>;
}

export function firewallCommand<const F extends Flags>({
  summary,
  example,
  flags,
  run,
}: Required<Pick<CliCommand<F>, 'summary' | 'example' | 'flags'>> & {
  readonly run: (
    options: OptionsOf<F>,
    tools: Tools,
  ) => Promise<Pick<CommandResult, 'json' | 'text'> & Partial<CommandResult>>;
}): CliCommand {
  return {
    summary,
    example: `firewall ${example}`,
    flags: { ...ONE_ZONE, ...flags, ...SERVICE },
    run: async (options: OptionsOf<F> & ZoneOptions & ServiceOptions, context) => {
      // deleted objects are saved there
      await secureBackupFolder(context.cwd, context);
      return withZoneClient(options, context, async (client, zone) => {
        const spelling = spelt(options, zone);
        const confirm: Tools['confirm'] = (change, fields, current = '') => {
          const name = spelling === zone ? zone : `${spelling} (${zone})`;
          const lines = [current, ...linesOf(fields)].filter(Boolean);
          const lists = { Zone: [name], [change]: lines };
          return consent({ lists, question: `${change}?` }, context);
        };
        const next = `check --zone ${spelling}`;
        return { next, exitCode: 0, ...(await run(options, { client, zone, context, confirm })) };
      });
    },
  };
}

function linesOf(fields: object | readonly string[]): string[] {
  if (Array.isArray(fields)) return fields.map(String);
  return Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

export function resultOfList<Item>(
  name: string,
  items: readonly Item[],
  render: (item: Item) => string,
) {
  const text = items.length === 0 ? `no ${name}` : items.map(render).join('\n');
  return { json: { [name]: items }, text };
}

/** External text in a list. Many spaces could push the rest of it to the start of a row. */
export function cell(text: string, limit: number): string {
  return printable(text.replace(/\p{Zs}{4,}/gu, ' … '), limit);
}

export function required(value: string | undefined, flag: string): string {
  if (value === undefined) throw new MigrationError('USAGE', `pass ${flag}`);
  return value;
}

export function parsePriority(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new MigrationError('USAGE', `--priority "${printable(text, 20)}" is not a whole number`);
}

export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> };
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function requireChanges<T extends object>(fields: T): T {
  if (Object.keys(fields).length > 0) return fields;
  throw new MigrationError('USAGE', 'nothing to change: pass the fields that change');
}
