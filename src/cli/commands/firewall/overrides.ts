import { relative, resolve } from 'node:path';
import { type Command as Commander } from 'commander';
import {
  type WafOverride,
  type WafOverrideFields,
  wafOverrides,
} from '../../../cloudflare/firewall';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { readJsonFile } from '../../../files/read-json-file';
import { parseSavedOverride, readOverrides, removeOverride } from '../../../firewall/overrides';
import { type CliCommand } from '../../context';
import { requireZone } from '../../zones';
import {
  confirmChange,
  type FirewallOptions,
  forZone,
  given,
  ID,
  parsePriority,
  requireChanges,
  requireOption,
  withFirewall,
  withId,
  withListing,
  ZONE,
} from './options';

/** `firewall overrides list`. */
export const listOverridesCommand: CliCommand<OverrideOptions> = {
  example: `firewall overrides list ${ZONE}`,
  define: withListing,
  run: (options, context) =>
    forZone(options, context, async (client, zone) => {
      const overrides = await readOverrides(client, zone, undefined);
      const text = overrides.length === 0 ? 'no overrides' : overrides.map(render).join('\n');
      return { json: { overrides }, text };
    }),
};

/** `firewall overrides create`. */
export const createOverrideCommand: CliCommand<OverrideOptions> = {
  example: `firewall overrides create ${ZONE} --from waf-override.json`,
  define: (command) =>
    withOverrideFields(command)
      .option('--paused', 'create it paused')
      .option('--from <file>', 'a file that overrides delete saved'),
  run: async (options, context) => {
    requireZone(options);
    const { from } = options;
    const changes = readOverrideFields(options);
    const base = from === undefined ? {} : await readJsonFile(resolve(context.cwd, from));
    if (from === undefined && changes.urls === undefined) {
      throw new MigrationError('USAGE', 'pass --from <file>, or --url with --rule or --group');
    }
    const fields =
      from === undefined
        ? parseSavedOverride(changes)
        : { ...parseSavedOverride(base), ...changes };
    return forZone(options, context, async (client, zone) => {
      await confirmChange('Create override', fields, zone, options, context);
      const override = await wafOverrides.create(client, zone, fields);
      const text = `${render(override)}\nWhile it exists, the zone cannot migrate.`;
      return { json: { override }, text };
    });
  },
};

/** `firewall overrides update`. */
export const updateOverrideCommand: CliCommand<OverrideOptions> = {
  example: `firewall overrides update ${ZONE} ${ID} --paused`,
  define: (command) =>
    withOverrideFields(withId(command, 'override'))
      .option('--paused', 'pause it')
      .option('--no-paused', 'resume it'),
  run: (options, context) => {
    requireZone(options);
    const id = requireOption(options.id, '--id <id>');
    const changes = requireChanges(readOverrideFields(options));
    return forZone(options, context, async (client, zone) => {
      const current = await wafOverrides.read(client, zone, id);
      await confirmChange('Update override', { id, ...changes }, zone, options, context);
      const override = await wafOverrides.update(client, zone, { ...current, ...changes });
      return { json: { override }, text: render(override) };
    });
  },
};

/** `firewall overrides delete`. */
export const deleteOverrideCommand: CliCommand<OverrideOptions> = {
  example: `firewall overrides delete ${ZONE} ${ID}`,
  define: (command) =>
    withFirewall(command)
      .option('--id <id>', 'id of the override')
      .option('--all', 'every override of the zone')
      .option('--backup <dir>', 'folder for the files', 'cf-waf-migrate-backup'),
  run: (options, context) => {
    requireZone(options);
    const { id, all = false, backup = 'cf-waf-migrate-backup' } = options;
    if ((id === undefined) !== all) {
      throw new MigrationError('USAGE', 'pass either --id <id> or --all');
    }
    return forZone(options, context, async (client, zone) => {
      const overrides = await readOverrides(client, zone, id);
      if (overrides.length > 0) {
        const change = `Delete ${counted(overrides.length, 'override')}`;
        await confirmChange(change, overrides.map(render), zone, options, context);
      }
      const folder = resolve(context.cwd, backup);
      const deleted = [];
      for (const override of overrides) {
        const removed = await removeOverride(client, zone, override, folder);
        deleted.push({ ...removed, file: relative(context.cwd, removed.file) });
      }
      const lines = deleted.map(
        ({ id: one, file }) =>
          `deleted override ${printable(one, 32)}, saved in ${printable(file)}`,
      );
      const text = lines.join('\n') || 'no overrides';
      return { json: { deleted }, text };
    });
  },
};

function render({ id, urls, rules, groups, paused, priority, description }: WafOverride): string {
  const modes = Object.entries({ ...rules, ...groups }).map(([key, mode]) => `${key} ${mode}`);
  const note =
    description === null || description === '' ? '' : `  # ${printable(description, 80)}`;
  return `${printable(id, 32)}${paused ? ' (paused)' : ''} at ${priority}  ${printable(urls.join(' '), 200)}  ${printable(modes.join(', '), 200)}${note}`;
}

/** The flags of the commands for overrides. */
interface OverrideOptions extends FirewallOptions {
  readonly id?: string;
  readonly url?: string[];
  readonly rule?: string[];
  readonly group?: string[];
  readonly rewrite?: string[];
  readonly priority?: string;
  readonly description?: string;
  readonly paused?: boolean;
  readonly from?: string;
  readonly all?: boolean;
  readonly backup?: string;
}

/** Adds the flags for the fields of an override. */
function withOverrideFields(command: Commander): Commander {
  return withFirewall(command)
    .option('--url <pattern...>', 'URIs, with simple wildcards')
    .option('--rule <id=mode...>', 'mode of a rule, such as 100005=block')
    .option('--group <id=mode...>', 'mode of a group')
    .option('--rewrite <from=to...>', 'replace one action of the rules by another')
    .option('--priority <number>', 'the lowest priority wins')
    .option('--description <text>', 'what it is for');
}

/** @throws MigrationError `USAGE` */
function readOverrideFields(options: OverrideOptions): Partial<WafOverrideFields> {
  const { url: urls, rule, group, rewrite, description, paused } = options;
  return given({
    urls,
    rules: readPairs(rule, '--rule'),
    groups: readPairs(group, '--group'),
    rewrite_action: readPairs(rewrite, '--rewrite'),
    priority: parsePriority(options.priority),
    description,
    paused,
  });
}

function readPairs(
  pairs: readonly string[] | undefined,
  flag: string,
): Record<string, string> | undefined {
  if (pairs === undefined) return undefined;
  const entries = pairs.map((pair): [string, string] => {
    const [, key, value] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    if (key !== undefined && value !== undefined) return [key, value];
    throw new MigrationError('USAGE', `${flag} "${printable(pair, 80)}" is not <key>=<value>`);
  });
  return Object.fromEntries(entries);
}
