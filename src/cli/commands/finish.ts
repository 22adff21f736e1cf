import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FinishResult } from '../../actions/finish';
import { type FinishRequest, type Preflight } from '../../actions/finish-preflight';
import { type Zone } from '../../cloudflare/zones';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { type CliCommand } from '../command';
import { type CliContext, type CommandResult } from '../context';
import {
  type MigrationOptions,
  readMigrationSource,
  withMigrationSource,
} from '../migration-options';
import { DEFAULT_ADDRESS, parseRulesetAddress } from '../ruleset-address';
import { type ServiceOptions, withClient, withService } from '../service-options';
import { requireZone, withZone, type ZoneOption } from '../zone-option';

interface FinishOptions extends ServiceOptions, ZoneOption, MigrationOptions {
  readonly confirm?: string;
  readonly stack?: string;
  readonly address: string;
  readonly accept?: string[];
  readonly backup: string;
  readonly wait: string;
}

/** `finish`: the irreversible call, after its pre-flight. */
export const finishCommand: CliCommand<FinishOptions> = {
  name: 'finish',
  summary: 'finish the migration, which cannot be undone; can be run again at any moment',
  example: 'finish --zone 0123456789abcdef0123456789abcdef --confirm example.com',
  define: (command) =>
    withService(withMigrationSource(withZone(command)))
      .option('--confirm <name>', 'name of the zone; without it a terminal is asked')
      .option('--stack <file>', 'a generated stack, which must declare what is sent')
      .option('--address <address>', 'address of the resource in the stack', DEFAULT_ADDRESS)
      .option('--accept <code...>', 'blockers to overrule; each says whether it can be')
      .option('--backup <dir>', 'folder for the old settings', 'cf-waf-migrate-backup')
      .option('--wait <seconds>', 'how long to wait for the service to switch', '600'),
  run: async (options, context) => {
    const zoneId = requireZone(options);
    const seconds = parseWait(options.wait);
    if (options.confirm === undefined && context.ask === null) {
      throw new MigrationError('DECLINED', 'finishing cannot be undone and was not confirmed', {
        hint: 'pass --confirm with the name of the zone',
      });
    }
    const request = await readRequest(options, context);
    return withClient(options, context, async (client) => {
      const { finish } = await import('../../actions/finish');
      const { readZone } = await import('../../cloudflare/zones');
      const zone = await readZone(client, zoneId);
      if (options.confirm !== undefined) requireName(zone, options.confirm);
      const silent = options.quiet === true || options.json === true;
      const ports = {
        client,
        seconds,
        backups: resolve(context.cwd, options.backup),
        say: (text: string) => {
          if (!silent) context.stderr(`${printable(text, 500)}\n`);
        },
        now: () => Date.now(),
        sleep: (milliseconds: number) => sleep(milliseconds),
        confirm: (ready: Preflight) => ask(zone, ready, options, context),
      };
      return report(await finish(ports, zone, request), zone, options, context);
    });
  },
};

async function readRequest(options: FinishOptions, context: CliContext): Promise<FinishRequest> {
  const { ACCEPTABLE } = await import('../../actions/finish-preflight');
  const { accept = [], stack, address } = options;
  const known: readonly string[] = ACCEPTABLE;
  const unknown = accept.find((code) => !known.includes(code));
  if (unknown !== undefined) {
    throw new MigrationError('USAGE', `--accept "${printable(unknown, 40)}" cannot be overruled`, {
      hint: `these can: ${known.join(', ')}`,
    });
  }
  const resourceName = parseRulesetAddress(address);
  return {
    ...(await readMigrationSource(options, context)),
    accept,
    ...(stack === undefined ? {} : { stack: { path: resolve(context.cwd, stack), resourceName } }),
  };
}

/** With `--confirm` nobody is asked: the name was compared already. */
async function ask(
  zone: Zone,
  { declared, findings }: Preflight,
  { confirm }: FinishOptions,
  context: CliContext,
): Promise<boolean> {
  if (confirm !== undefined || context.ask === null) return false;
  const rules = declared.rules.map(
    ({ ref, action, enabled, expression }) =>
      `  ${enabled ? 'on ' : 'off'} ${printable(action, 20)} ${printable(ref, 60)} where ${printable(expression, 80)}`,
  );
  const lines = [`${printable(zone.name, 253)} would get:`, ...rules, ...renderFindings(findings)];
  context.stderr(`${lines.join('\n')}\n`);
  const answer = await context.ask(
    'This cannot be undone: the old WAF will be switched off for good. Name of the zone: ',
  );
  requireName(zone, answer.trim());
  return true;
}

function requireName({ name }: Zone, given: string): void {
  if (given === name) return;
  const message = `the zone is called ${printable(name, 253)}, not "${printable(given, 100)}"`;
  throw new MigrationError('DECLINED', message, { hint: 'confirm the zone by its exact name' });
}

function parseWait(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new MigrationError('USAGE', `--wait "${printable(text, 20)}" is not a number of seconds`);
}

async function report(
  result: FinishResult,
  zone: Zone,
  options: FinishOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { migrationState, ruleset, moved, findings } = result;
  const backup = result.backup === undefined ? undefined : relative(context.cwd, result.backup);
  const json = { ...result, ...(backup === undefined ? {} : { backup }) };
  const name = printable(zone.name, 253);
  const state = printable(migrationState, 40);
  if (ruleset === undefined) {
    const text = [
      `Zone ${name} is being switched by the service (state ${state}): both WAFs are on meanwhile.`,
      'Run the same command again later: it goes on from where the zone is.',
    ];
    return { json, text: [...text, ...renderFindings(findings)].join('\n'), exitCode: 2 };
  }
  const { importCommands } = await import('../../actions/import-commands');
  const differs = findings.some(({ code }) => code === 'ENTRY_POINT_DIFFERS');
  const lines = [
    `Zone ${name} has moved: the old WAF is off, the new one on (state ${state}).`,
    `Its entry point is ruleset ${ruleset.id}.`,
    ...(backup === undefined ? [] : [`The old settings are saved in ${printable(backup)}.`]),
    ...renderFindings(findings),
    'Next: import the ruleset, then take the old resources out of the state:',
    ...importCommands(zone.id, ruleset.id, options.address).map((command) => `  ${command}`),
    `  cf-waf-migrate plan --zone ${zone.id} --ruleset-id ${ruleset.id} --dir <folder>`,
  ];
  return { json, text: lines.join('\n'), exitCode: moved && !differs ? 0 : 2 };
}
