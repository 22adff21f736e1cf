import { relative, resolve } from 'node:path';
import { type WafOverride, wafOverrides } from '../../../cloudflare/firewall';
import { listed } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { readJsonFile } from '../../../files/read-files';
import { parseSavedOverride, readOverrides, removeOverride } from '../../../firewall/overrides';
import { BACKUP_FOLDER } from '../../../files/backups';
import { type CommandGroup } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import {
  cell,
  FIELDS,
  firewallCommand,
  given,
  ID,
  resultOfList,
  OF_ID,
  OF_ZONE,
  parsePriority,
  requireChanges,
  required,
} from './firewall-command';

const OVERRIDE_FIELDS = defineFlags({
  '--url <pattern...>': 'URIs, with simple wildcards',
  '--rule <id=mode...>': 'mode of a rule, such as 100005=block',
  '--group <id=mode...>': 'mode of a group',
  '--rewrite <from=to...>': 'replace one action of the rules by another',
  '--priority <number>': 'lower numbers win',
  ...FIELDS,
});

export const overrideCommands: CommandGroup = {
  summary: 'Manage URI overrides, which block a migration',
  commands: {
    list: firewallCommand({
      summary: 'List the URI overrides of the zone',
      example: `overrides list ${OF_ZONE}`,
      flags: {},
      run: async (_, { client, zone }) =>
        resultOfList('overrides', await readOverrides(client, zone, undefined), renderOverride),
    }),
    create: firewallCommand({
      summary: 'Create an override from a saved file or flags',
      example: `overrides create ${OF_ZONE} --from waf-override.json`,
      flags: { ...OVERRIDE_FIELDS, '--from <file>': 'a file that overrides delete saved' },
      run: async ({ from, ...options }, { client, zone, context, confirm }) => {
        const changes = readOverrideFields(options);
        if (from === undefined && changes.urls === undefined) {
          const message = 'pass --from <file>, or --url with --rule or --group';
          throw new MigrationError('USAGE', message);
        }
        const fields =
          from === undefined
            ? parseSavedOverride(changes)
            : { ...parseSavedOverride(await readJsonFile(resolve(context.cwd, from))), ...changes };
        await confirm('Create override', fields);
        const override = await wafOverrides.create(client, zone, fields);
        const text = `${renderOverride(override)}\nWhile it exists, the zone cannot migrate.`;
        return { json: { override }, text };
      },
    }),
    update: firewallCommand({
      summary: 'Change an override',
      example: `overrides update ${OF_ID} --paused`,
      flags: { ...ID, ...OVERRIDE_FIELDS },
      run: async (options, { client, zone, confirm }) => {
        const id = required(options.id, '--id <id>');
        const changes = requireChanges(readOverrideFields(options));
        const current = await wafOverrides.read(client, zone, id);
        const replaced = ['rules', 'groups', 'rewrite_action'].filter((name) => name in changes);
        const what = replaced.length === 0 ? '' : `, replacing all its ${listed(replaced)}`;
        await confirm(`Update override${what}`, changes, renderOverride(current));
        const override = await wafOverrides.update(client, zone, { ...current, ...changes });
        return { json: { override }, text: renderOverride(override) };
      },
    }),
    delete: firewallCommand({
      summary: 'Save overrides to files, then delete them',
      example: `overrides delete ${OF_ID}`,
      flags: { '--id <id>': 'id of the override', '--all': 'every override of the zone' },
      run: async ({ id, all: isAll = false }, { client, zone, context, confirm }) => {
        const { cwd, notify } = context;
        if ((id === undefined) !== isAll) {
          throw new MigrationError('USAGE', 'pass either --id <id> or --all');
        }
        const overrides = await readOverrides(client, zone, id);
        if (overrides.length === 0) return { json: { deleted: [] }, text: 'no overrides' };
        const change = `Delete ${counted(overrides.length, 'override')}`;
        notify(
          `Before the deletion, see what replaces them:\n  cf-waf-migrate report --zone ${zone} --against ours`,
        );
        await confirm(change, overrides.map(renderOverride));
        const deleted = [];
        for (const override of overrides) {
          const removed = await removeOverride(client, zone, override, resolve(cwd, BACKUP_FOLDER));
          deleted.push({ ...removed, file: relative(cwd, removed.file) });
        }
        const lines = deleted.map(
          (one) => `deleted override ${printable(one.id, 32)}, saved in ${printable(one.file)}`,
        );
        const text = [...lines, 'In this folder, `report` counts their settings.'].join('\n');
        return { json: { deleted }, text };
      },
    }),
  },
};

function renderOverride(override: WafOverride): string {
  const { id, urls, rules, groups, paused, priority, description } = override;
  const modes = Object.entries({ ...rules, ...groups }).map(([key, mode]) => `${key} ${mode}`);
  const note = description ? `  # ${cell(description, 80)}` : '';
  return `${cell(id, 32)}${paused ? ' (paused)' : ''} priority ${priority}  ${cell(urls.join(' '), 200)}  ${cell(modes.join(', '), 200)}${note}`;
}

function readOverrideFields(options: OptionsOf<typeof OVERRIDE_FIELDS>) {
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
