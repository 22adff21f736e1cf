import { dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { secureBackupFolder } from '../../../apply/journal/secure-backup-folder';
import { type Client } from '../../../cloudflare/client';
import { isUnauthenticated } from '../../../cloudflare/failures';
import { type NamedZone, readZoneOrId } from '../../../cloudflare/zones';
import {
  type Finding,
  findingCodes,
  firstOfEachCode,
  isBlocker,
  isOpenFinding,
  renderFindings,
} from '../../../core/finding';
import { mapConcurrently } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { BACKUP_FOLDER } from '../../../files/backups';
import { refuseZones } from '../../../fleet/group-zones';
import { readResult } from '../../../fleet/ledger';
import {
  type FleetZone,
  type RefusedEntry,
  type ResolvedZones,
} from '../../../fleet/resolve-zones';
import { waveNumbers, type Waves } from '../../../fleet/run-fleet';
import { type DeclaredRuleset } from '../../../core/ruleset';
import {
  checkFinish,
  finish,
  type FinishPorts,
  type FinishResult,
  requireUnchanged,
} from '../../../zone/finish';
import { ACCEPTABLE, type FinishRequest, type Preflight } from '../../../zone/finish-preflight';
import { cdktfFolder, foldersOfTerraform } from '../../../project/cdktf-project';
import { confirmByText, listHash, refuseOtherText, showChange, unaccepted } from '../../consent';
import { type CliContext, defineCommand } from '../../context';
import { advanced, defineFlags, type OptionsOf } from '../../flags';
import { forZones, openFindingsOf, type ZoneResult } from '../../fleet/for-zones';
import { generateLine, PLAN_INSTEAD, planLine } from '../../fleet/next-of-list';
import { commandOf, parseCount, refuseForMany, ZONES, ZONES_AT_ONCE } from '../../options';
import { readWaves, WAVES } from '../../fleet/waves';
import { isMany, requireZone, spelt, STATUS_THERE } from '../../zones';
import { resumable } from '../../output';
import { createProgress } from '../../progress';
import { MIGRATION_SOURCE, notListed, readMigrationSource, rulesOf } from './start-validation';

const flags = defineFlags({
  ...ZONES,
  ...MIGRATION_SOURCE,
  '--confirm <name>': 'name of the zone, or <count>:<hash> of many',
  '--stack <file>': 'generated stack that declares what is sent',
  '--accept <code...>': { summary: 'blockers to accept', choices: ACCEPTABLE },
  ...WAVES,
  '--wait <seconds>': { ...advanced('how long to wait for the switch'), usual: '600' },
});

type FinishOptions = OptionsOf<typeof flags>;

export const finishCommand = defineCommand({
  example: 'finish --zone example.com --confirm example.com',
  flags,
  run: async (options, context) => {
    const seconds = parseCount('--wait', options.wait, 0);
    const { config, stack, accept = [] } = options;
    if (isMany(options)) refuseForMany(options, { config, stack });
    else requireZone(options);
    // the legacy settings are saved there
    await secureBackupFolder(context.cwd, context);
    const request = {
      ...(await readMigrationSource(options, context)),
      isOfList: isMany(options),
      accept,
      stack: stack && resolve(context.cwd, stack),
    };
    let checked: readonly CheckedZone[] = [];
    return forZones(options, context, {
      stage: 'finish',
      request: { source: request.source, accept },
      // only a zone that is being switched gets another result
      repeats: ({ moved }) => !moved,
      next: (_, found) => planLine(options, found, context) ?? generateLine(options, context),
      prepare: async (all, client) => {
        // refuses wrong flags before the first request
        const settings = readWaves(options, all.zones, context);
        checked = await checkZones(all, client, request, context);
        return confirmWaves(all, checked, settings, options, context);
      },
      conclude: (outcomes, found) => [
        ...noteOnStanding(outcomes.flatMap((one) => readResult(one).findings)),
        ...(outcomes.some(({ outcome }) => outcome === 'done') &&
        planLine(options, found, context) === undefined
          ? [PLAN_INSTEAD]
          : []),
      ],
      // a zone with a name comes from a list, which was confirmed before
      perform: async (client, { name, ...known }) => {
        const isListed = name !== undefined;
        const zone = isListed ? { ...known, name } : await readZoneOrId(client, known.id);
        if (!isListed && options.confirm !== undefined) {
          refuseOtherText(zone.name, options.confirm, context);
        }
        let listed: readonly Finding[] = [];
        const ports: FinishPorts = {
          client,
          seconds,
          backups: resolve(context.cwd, BACKUP_FOLDER),
          say: (text) => {
            if (!isListed) context.notify(printable(text, 500));
          },
          now: () => Date.now(),
          sleep,
          ifStopped: context.ifStopped,
          confirm: async (ready) => {
            listed = ready.findings;
            if (!isListed) return ask(zone, ready, options, context);
            // the zone may have changed since the list was shown
            const before = checked.find((one) => one.zone.id === zone.id);
            requireUnchanged(zone.id, before?.sends, ready.declared);
            return false;
          },
        };
        const result = await finish(ports, zone, request);
        return renderFinish(result, listed, zone, options, context);
      },
    });
  },
});

async function checkZones(
  all: ResolvedZones,
  client: Client,
  request: FinishRequest,
  context: CliContext,
): Promise<readonly CheckedZone[]> {
  context.notify(`checking ${counted(all.zones.length, 'zone')} before anything is sent`);
  const progress = createProgress(context, all.zones.length);
  const checkAll = () =>
    mapConcurrently(all.zones, ZONES_AT_ONCE, async (zone) => {
      const one = await checkZone(zone, client, request);
      progress.tell(zone, one.note, one.error !== undefined);
      return one;
    });
  const checked = await resumable(context, checkAll, 'nothing was sent; ');
  progress.end();
  return checked;
}

/**
 * Shows what each zone gets, and asks once for those to migrate. Refuses those that are blocked or cannot be read, so
 * that they do not stop the waves.
 */
async function confirmWaves(
  all: ResolvedZones,
  checked: readonly CheckedZone[],
  settings: Waves,
  { confirm }: FinishOptions,
  context: CliContext,
): Promise<{ readonly found: ResolvedZones; readonly waves: Waves }> {
  const errors = checked.flatMap(({ zone, error }) => (error ? [[zone.id, error] as const] : []));
  const leftOut = errors.find(([id]) => settings.canaries.has(id));
  if (leftOut !== undefined) throw leftOut[1].withPrefix('--canary is left out');
  const found = refuseZones(all, new Map(errors));
  const moved = checked.flatMap(({ zone, isMoved }) => (isMoved ? zone.id : []));
  const waves = { ...settings, aside: new Set(moved) };
  const toMigrate = found.zones.length - moved.length;
  if (toMigrate === 0) return { found, waves };
  if (context.ask !== null || !context.isSilent) {
    const lines = describeChecked(checked, all.refused, waves);
    context.stderr(lines.map((line) => `  ${line}\n`).join(''));
  }
  // the user may also have confirmed the whole list
  if (confirm === listHash(all.zones)) return { found, waves };
  const blocked = errors.filter(([, { code }]) => code === 'MIGRATION_BLOCKED').length;
  const zones = [
    `${counted(toMigrate, 'zone')} to migrate`,
    `${moved.length} already migrated`,
    `${blocked} blocked`,
    `${found.refused.length - blocked} refused`,
  ].filter((one) => !one.startsWith('0 '));
  const question = `${zones.join(', ')}. This cannot be undone: it switches off the legacy WAF of the zones to migrate.`;
  await confirmByText(listHash(found.zones), question, confirm, context);
  return { found, waves };
}

interface CheckedZone {
  readonly zone: FleetZone;
  readonly note: string;
  readonly sends?: DeclaredRuleset;
  readonly isMoved?: boolean;
  readonly error?: MigrationError;
}

const REPLACES =
  'replaces entry point rules that differ from the migration configuration (to send others: finish --zone with --config or --source live)';

async function checkZone(
  zone: FleetZone,
  client: Client,
  request: FinishRequest,
): Promise<CheckedZone> {
  try {
    const { position, declared, replaces = false } = await checkFinish(client, zone, request);
    if (position === 'moved') return { zone, note: 'already migrated', isMoved: true };
    const note = `to migrate${position === 'validation' ? ', in validation mode' : ''}${replaces ? `, ${REPLACES}` : ''}`;
    return { zone, note, ...(declared && { sends: declared }) };
  } catch (thrown) {
    if (!(thrown instanceof MigrationError) || isUnauthenticated(thrown)) throw thrown;
    const { code, findings } = thrown;
    const blockers = findings.filter(isBlocker);
    if (blockers.length === 0) {
      const note = `refused: it cannot be checked (${code})`;
      return { zone, note, error: thrown.withPrefix(shown(zone)) };
    }
    const note = `blocked by ${findingCodes(blockers)}`;
    const error = new MigrationError(code, `${shown(zone)} is ${note}`, { findings });
    return { zone, note, error };
  }
}

/** What happens to each zone of a list, with the wave of each that is not refused, and the reasons of the others. */
function describeChecked(
  checked: readonly CheckedZone[],
  refused: readonly RefusedEntry[],
  waves: Waves,
): string[] {
  const numbers = waveNumbers(
    checked.flatMap(({ zone, error }) => (error ? [] : { zones: [zone] })),
    waves,
  );
  const reasons = checked.flatMap(({ error }) => openFindingsOf(error));
  return [
    ...checked.flatMap(({ zone, note, sends }) => {
      const wave = numbers.get(zone.id);
      const line = `${shown(zone)}: ${note}${wave === undefined ? '' : ` (wave ${wave})`}`;
      if (sends === undefined) return line;
      const rules = rulesOf(sends, 80);
      return [line, printable(`  sends ${counted(rules.length, 'rule')}: ${rules.join('; ')}`)];
    }),
    ...refused.map(({ error }) => `refused: ${error.message}`),
    ...renderFindings(firstOfEachCode(reasons)),
  ];
}

const shown = ({ id, name }: FleetZone): string => `${printable(name, 100)} (${id})`;

const QUESTION = 'This cannot be undone: it switches off the legacy WAF.';

async function ask(
  zone: NamedZone,
  { declared, findings }: Preflight,
  { confirm }: FinishOptions,
  context: CliContext,
): Promise<boolean> {
  const lists = { Zone: [`${zone.name} (${zone.id})`], 'Rules to send': rulesOf(declared) };
  showChange({ lists, findings }, context);
  await confirmByText(zone.name, QUESTION, confirm, context);
  return confirm === undefined;
}

function renderFinish(
  result: FinishResult,
  listed: readonly Finding[],
  zone: NamedZone,
  options: FinishOptions,
  context: CliContext,
): ZoneResult {
  const { migrationState, ruleset, findings, oldWaf, newWaf } = result;
  const open = unaccepted(findings.filter(isOpenFinding), options.accept);
  const backup = result.backup === undefined ? undefined : relative(context.cwd, result.backup);
  const json = backup === undefined ? result : { ...result, backup };
  const name = printable(zone.name, 253);
  const state = `(state ${printable(migrationState, 40)})`;
  const below = [
    // without --quiet, a notice names the file before the call
    ...(context.quiet && backup !== undefined
      ? [`Saved the legacy settings in ${printable(backup)}.`]
      : []),
    ...renderFindings(notListed(findings, listed, context)),
    ...noteOnStanding(findings),
  ];
  if (ruleset === undefined) {
    const line = `is being switched by Cloudflare ${state}`;
    const text = [
      `Zone ${name} ${line}: legacy WAF ${oldWaf}, new WAF ${newWaf}.`,
      ...below,
      'Run the same command again later to resume.',
    ];
    return { json, text: text.join('\n'), line, open, next: context.commandLine, exitCode: 2 };
  }
  const differs = findings.some(({ code }) => code === 'ENTRY_POINT_DIFFERS');
  const lacks = findings.find(({ code }) => code === 'ZONE_UNPROTECTED');
  const now = lacks ? 'neither WAF is on' : `the legacy WAF is off, the new WAF is ${newWaf}`;
  // only the call saves a backup
  const did = backup === undefined ? 'was migrated before' : 'migrated';
  const line = [
    `${did}: ruleset ${ruleset.id}`,
    ...(differs ? ['which differs from what was sent'] : []),
    ...(lacks ? [`${now}: ${lacks.code}`] : []),
  ].join(', ');
  const { next, note } = whatFollows(zone, options, context);
  const text = [
    `Zone ${name} is migrated: ${now} ${state}.`,
    `Its entry point is ruleset ${ruleset.id}.`,
    ...below,
    ...note,
  ];
  const isDone = !differs && (lacks === undefined || lacks.severity === 'info');
  return { json, text: text.join('\n'), line, open, next, exitCode: isDone ? 0 : 2 };
}

/** An entry point that had rules before can be in Terraform. */
const noteOnStanding = (findings: readonly Finding[]): string[] =>
  findings.some(({ code }) => code.startsWith('STANDING_'))
    ? [
        'If Terraform already has this entry point, apply nothing there before its configuration declares the new rules: run `plan`, then `rehearse`.',
      ]
    : [];

/** The next command for a migrated zone, and what to know of it. */
function whatFollows({ id }: NamedZone, options: FinishOptions, { cwd }: CliContext) {
  const { stack } = options;
  const zone = spelt(options, id);
  // `generate` says how a program gets to its plan; only `status` reads whether the folder has the zone
  if (foldersOfTerraform(cwd).length > 0 && stack?.endsWith('.ts') !== true) {
    return { next: commandOf('status', { zone }), note: [] };
  }
  const format = stack?.endsWith('.ruleset.ts') === true ? 'construct' : undefined;
  // the stack needs a program, and none is here
  const project = stack === undefined && cdktfFolder(cwd) === undefined ? 'waf' : undefined;
  const next = commandOf('generate', { zone, format, out: stack && dirname(stack), project });
  const note =
    stack === undefined
      ? STATUS_THERE
      : 'The next command writes the stack again, without PROVISIONAL. Add --provider or --address if you used them before.';
  return { next, note: [note] };
}
