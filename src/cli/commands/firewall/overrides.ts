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
import { BACKUP_FOLDER } from '../../../plan/paths';
import {
  firewallCommand,
  type FirewallOptions,
  given,
  ID,
  parsePriority,
  requireChanges,
  requireId,
  withId,
  ZONE,
} from './firewall-command';

/** `firewall overrides`. */
export const overrideCommands = {
  list: firewallCommand<OverrideOptions>({
    summary: 'List the URI overrides of the zone',
    example: `overrides list ${ZONE}`,
    read:
      () =>
      async ({ client, zone }) => {
        const overrides = await readOverrides(client, zone, undefined);
        const text = overrides.length === 0 ? 'no overrides' : overrides.map(render).join('\n');
        return { json: { overrides }, text };
      },
  }),
  create: firewallCommand<OverrideOptions>({
    summary: 'Create an override from a saved file or flags',
    example: `overrides create ${ZONE} --from waf-override.json`,
    define: (command) =>
      withOverrideFields(command)
        .option('--paused', 'create it paused')
        .option('--from <file>', 'a file that overrides delete saved'),
    read: (options, { cwd }) => {
      const { from } = options;
      const changes = readOverrideFields(options);
      if (from === undefined && changes.urls === undefined) {
        throw new MigrationError('USAGE', 'pass --from <file>, or --url with --rule or --group');
      }
      return async ({ client, zone, confirm }) => {
        const fields =
          from === undefined
            ? parseSavedOverride(changes)
            : { ...parseSavedOverride(await readJsonFile(resolve(cwd, from))), ...changes };
        await confirm('Create override', fields);
        const override = await wafOverrides.create(client, zone, fields);
        const text = `${render(override)}\nWhile it exists, the zone cannot migrate.`;
        return { json: { override }, text };
      };
    },
  }),
  update: firewallCommand<OverrideOptions>({
    summary: 'Change an override',
    example: `overrides update ${ZONE} ${ID} --paused`,
    define: (command) =>
      withOverrideFields(withId(command, 'override'))
        .option('--paused', 'pause it')
        .option('--no-paused', 'resume it'),
    read: (options) => {
      const id = requireId(options);
      const changes = requireChanges(readOverrideFields(options));
      return async ({ client, zone, confirm }) => {
        const current = await wafOverrides.read(client, zone, id);
        await confirm('Update override', { id, ...changes });
        const override = await wafOverrides.update(client, zone, { ...current, ...changes });
        return { json: { override }, text: render(override) };
      };
    },
  }),
  delete: firewallCommand<OverrideOptions>({
    summary: 'Save overrides to files, then delete them',
    example: `overrides delete ${ZONE} ${ID}`,
    define: (command) =>
      command
        .option('--id <id>', 'id of the override')
        .option('--all', 'every override of the zone'),
    read: ({ id, all = false }, { cwd }) => {
      if ((id === undefined) !== all) {
        throw new MigrationError('USAGE', 'pass either --id <id> or --all');
      }
      return async ({ client, zone, confirm }) => {
        const overrides = await readOverrides(client, zone, id);
        if (overrides.length === 0) return { json: { deleted: [] }, text: 'no overrides' };
        await confirm(`Delete ${counted(overrides.length, 'override')}`, overrides.map(render));
        const deleted = [];
        for (const override of overrides) {
          const removed = await removeOverride(client, zone, override, resolve(cwd, BACKUP_FOLDER));
          deleted.push({ ...removed, file: relative(cwd, removed.file) });
        }
        const lines = deleted.map(
          ({ id: one, file }) =>
            `deleted override ${printable(one, 32)}, saved in ${printable(file)}`,
        );
        return { json: { deleted }, text: lines.join('\n') };
      };
    },
  }),
};

function render({ id, urls, rules, groups, paused, priority, description }: WafOverride): string {
  const modes = Object.entries({ ...rules, ...groups }).map(([key, mode]) => `${key} ${mode}`);
  const note =
    description === null || description === '' ? '' : `  # ${printable(description, 80)}`;
  return `${printable(id, 32)}${paused ? ' (paused)' : ''} at ${priority}  ${printable(urls.join(' '), 200)}  ${printable(modes.join(', '), 200)}${note}`;
}

/** The flags of the commands for overrides. */
interface OverrideOptions extends FirewallOptions {
  readonly url?: string[];
  readonly rule?: string[];
  readonly group?: string[];
  readonly rewrite?: string[];
  readonly priority?: string;
  readonly description?: string;
  readonly paused?: boolean;
  readonly from?: string;
  readonly all?: boolean;
}

/** Adds the flags for the fields of an override. */
function withOverrideFields(command: Commander): Commander {
  return command
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
