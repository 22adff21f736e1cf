import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '../../../cloudflare/client';
import { type NamedZone, readZone } from '../../../cloudflare/zones';
import { findingCodes, renderFindings } from '../../../core/finding';
import { mapConcurrently } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { BACKUP_FOLDER } from '../../../plan/paths';
import { type FleetZone } from '../../../fleet/resolve-zones';
import { check } from '../../../zone/check';
import { finish, type FinishResult, importCommands } from '../../../zone/finish';
import { ACCEPTABLE, type FinishRequest, type Preflight } from '../../../zone/finish-preflight';
import { consent, declined, isNo, rulesOf } from '../../consent';
import { type CliContext, defineCommand } from '../../context';
import { advanced, defineFlags, type OptionsOf } from '../../flags';
import { forZones, type ZoneResult } from '../../many-zones/for-zones';
import {
  ADDRESS,
  isFleet,
  MIGRATION_SOURCE,
  parseCount,
  parseModuleAddress,
  refuseForMany,
  sameZones,
  ZONES,
  ZONES_AT_ONCE,
} from '../../options';
import { confirmList, readWaves, WAVES } from '../../many-zones/waves';
import { givenZones, requireZone } from '../../zones';
import { readMigrationSource } from './start-validation';

const flags = defineFlags({
  ...ZONES,
  ...MIGRATION_SOURCE,
  '--confirm <name>': 'name of the zone, or <count>:<hash> of many',
  '--stack <file>': 'generated stack that declares what is sent',
  '--accept <code...>': 'blockers to accept, by code',
  ...WAVES,
  ...ADDRESS,
  '--wait <seconds>': { ...advanced('how long to wait for the switch'), usual: '600' },
});

type FinishOptions = OptionsOf<typeof flags>;

/** `finish`: the irreversible call, after its pre-flight. */
export const finishCommand = defineCommand({
  example: 'finish --zone example.com --confirm example.com',
  flags,
  run: async (options, context) => {
    const seconds = parseCount('--wait', options.wait, 0);
    const many = isFleet(options) || givenZones(options).length > 1;
    if (!many) requireZone(options);
    if (!many && options.confirm === undefined && context.ask === null) {
      throw new MigrationError('DECLINED', 'finish cannot be undone, and was not confirmed', {
        hint: 'pass --confirm with the name of the zone; --yes is not enough',
      });
    }
    if (many) refuseForMany({ config: options.config, stack: options.stack });
    const request = await readRequest(options, context);
    return forZones(options, context, {
      stage: 'finish',
      request: { source: request.source, accept: request.accept, address: options.address },
      next: `status ${sameZones(options)}`,
      inWaves: async ({ zones, refused }, client) => {
        // a zone that needs attention may be without a WAF: check it before other zones start
        const waves = readWaves(options, zones, (outcome) => outcome !== 'done', context);
        const notes =
          options.confirm === undefined
            ? await notesOf(zones, client, context)
            : new Map<string, string>();
        const counts = countNotes([...notes.values()], refused.length);
        const question = `${counts}This cannot be undone: the legacy WAF of these zones is switched off.`;
        await confirmList(zones, notes, question, options.confirm, context);
        return waves;
      },
      // a zone with a name comes from a list, which was confirmed before
      perform: async (client, { name, ...known }) => {
        const isListed = name !== undefined;
        const zone = isListed ? { ...known, name } : await readZone(client, known.id);
        if (!isListed && options.confirm !== undefined) requireName(zone, options.confirm);
        const ports = {
          client,
          seconds,
          backups: resolve(context.cwd, BACKUP_FOLDER),
          say: (text: string) => {
            if (!isListed) context.notify(printable(text, 500));
          },
          now: () => Date.now(),
          sleep: (milliseconds: number) => sleep(milliseconds),
          ifStopped: context.ifStopped,
          confirm: (ready: Preflight) =>
            isListed ? Promise.resolve(false) : ask(zone, ready, options, context),
        };
        const result = await finish(ports, zone, request);
        return renderFinish(result, zone, options.address, context);
      },
    });
  },
});

const TO_MIGRATE = 'to migrate';

/** What `finish` will do for each zone, by its id. */
async function notesOf(
  zones: readonly FleetZone[],
  client: Client,
  { notify }: CliContext,
): Promise<ReadonlyMap<string, string>> {
  notify(`checking ${counted(zones.length, 'zone')}`);
  const notes = await mapConcurrently(zones, ZONES_AT_ONCE, async ({ id }) => {
    const { compatible, findings } = await check(client, id);
    const codes = findingCodes(findings);
    if (codes === 'ALREADY_MIGRATED') return [id, 'already migrated'] as const;
    return [id, compatible ? TO_MIGRATE : `blocked by ${codes}`] as const;
  });
  return new Map(notes);
}

/** `2 to migrate, 1 blocked.` */
function countNotes(notes: readonly string[], refused: number): string {
  if (notes.length === 0) return '';
  const kinds = [TO_MIGRATE, 'already migrated', 'blocked'].map((kind) => {
    const count = notes.filter((note) => note.startsWith(kind)).length;
    return `${count} ${kind}`;
  });
  return `${[...kinds, `${refused} refused`].join(', ')}. `;
}

async function readRequest(options: FinishOptions, context: CliContext): Promise<FinishRequest> {
  const { accept = [], stack, address } = options;
  const known: readonly string[] = ACCEPTABLE;
  const unknown = accept.find((code) => !known.includes(code));
  if (unknown !== undefined) {
    const message = `--accept ${printable(unknown, 40)}: this code cannot be accepted`;
    throw new MigrationError('USAGE', message, { hint: `pass one of ${known.join(', ')}` });
  }
  const { resourceName } = parseModuleAddress(address);
  return {
    ...(await readMigrationSource(options, context)),
    accept,
    ...(stack === undefined ? {} : { stack: { path: resolve(context.cwd, stack), resourceName } }),
  };
}

/** Asks for the name of the zone, unless `--confirm` has it. */
async function ask(
  zone: NamedZone,
  { declared, findings }: Preflight,
  options: FinishOptions,
  context: CliContext,
): Promise<boolean> {
  const { confirm } = options;
  const { ask: answerTo } = context;
  const isAsked = confirm === undefined && answerTo !== null;
  await consent(
    {
      lists: { Zone: [`${zone.name} (${zone.id})`], 'Rules to send': rulesOf(declared) },
      findings,
      question:
        'This cannot be undone: the legacy WAF is switched off.\nType the name of the zone to continue: ',
    },
    context,
    async (question) => {
      if (!isAsked) return;
      const answer = (await answerTo(question)).trim();
      if (isNo(answer)) throw declined();
      requireName(zone, answer);
    },
  );
  return isAsked;
}

function requireName({ name }: NamedZone, given: string): void {
  if (given === name) return;
  const message = `the name of the zone is ${printable(name, 253)}, not "${printable(given, 100)}"`;
  throw new MigrationError('DECLINED', message, { hint: 'confirm the zone by its exact name' });
}

/** The text of `finish` for a zone: which WAF is on now, and the next step. */
function renderFinish(
  result: FinishResult,
  zone: NamedZone,
  address: string,
  { cwd, commandLine, quiet }: CliContext,
): ZoneResult {
  const { migrationState, ruleset, moved, findings, oldWaf, newWaf } = result;
  const backup = result.backup === undefined ? undefined : relative(cwd, result.backup);
  const json = { ...result, ...(backup === undefined ? {} : { backup }) };
  // without --quiet, a notice names the file before the call
  const saved =
    quiet && backup !== undefined ? [`Saved the legacy settings in ${printable(backup)}.`] : [];
  const name = printable(zone.name, 253);
  const state = `(state ${printable(migrationState, 40)})`;
  if (ruleset === undefined) {
    const line = `is being switched by Cloudflare ${state}`;
    const text = [
      `Zone ${name} ${line}: legacy WAF ${oldWaf}, new WAF ${newWaf}.`,
      ...saved,
      'Run the same command again later to resume.',
      ...renderFindings(findings),
    ];
    return { json, text: text.join('\n'), line, next: commandLine, exitCode: 2 };
  }
  const differs = findings.some(({ code }) => code === 'ENTRY_POINT_DIFFERS');
  const lacks = findings.find(({ code }) => code === 'ZONE_UNPROTECTED');
  const now =
    lacks === undefined ? `the legacy WAF is off, the new WAF is ${newWaf}` : 'neither WAF is on';
  const lines = [
    `Zone ${name} is migrated: ${now} ${state}.`,
    `Its entry point is ruleset ${ruleset.id}.`,
    ...saved,
    ...renderFindings(findings),
    'Import it, with `plan` or by hand:',
    ...importCommands(zone.id, ruleset.id, address).map((command) => `  ${command}`),
  ];
  const line = [
    `migrated: ruleset ${ruleset.id}`,
    ...(differs ? ['which differs from what was sent'] : []),
    ...(lacks === undefined ? [] : [`${now}: ${lacks.code}`]),
  ].join(', ');
  const done = moved && !differs && (lacks === undefined || lacks.severity === 'info');
  const next = `plan --zone ${zone.id} --ruleset-id ${ruleset.id}`;
  return { json, text: lines.join('\n'), line, next, exitCode: done ? 0 : 2 };
}
