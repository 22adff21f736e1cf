import fc from 'fast-check';
import { proposalsOf } from './commands/hint';
import { doManualStep } from './commands/manual-step';
import { lineOf, runTool } from './commands/run-tool';
import { listFaults, type ToolAction } from './commands/tool';
import { act, listActions, type UserAction } from './commands/user';
import { type Layer, type ToolRun } from './layer';
import { contentOf, merged, plansOf } from './list-plans';
import { Broken, Model, MOVING } from './model';
import { tally } from './walk';
import { instancesOf, type Snapshot, World, type WorldSpec, worldSpecs, type Zone } from './world';

/** What happens before a command of the walk: a fault of this command, or a run or another action of the user. */
type Event =
  | { fault: NonNullable<ToolAction['fault']> }
  | { run: 'apply' | 'rollback'; plan: number }
  | { user: UserAction };

/** A walk over a list of zones, which follows the printed commands to the end. In the format of `--walk`. */
export interface ListWalk {
  world: WorldSpec;
  /** The number of zones in the list at first. When they are done, the list gets the next zone. */
  listed: number;
  events: { at: number; event: Event }[];
}

const LIST = 'zones.csv';
const STATUS = `status --zones ${LIST}`;
/** More commands than any list of a world needs. */
const ENOUGH = 90;

class ListGoing {
  readonly lines: string[] = [];
  private readonly model: Model;
  private readonly start: Snapshot;
  /** Followed commands with what they started from. */
  private followed = new Set<string>();
  /** What the user sees, and the commands that were proposed since it changed. */
  private now = '';
  private offered: string[] = [];

  constructor(
    private readonly world: World,
    private listed: number,
  ) {
    this.model = new Model(world);
    this.start = world.look();
  }

  async walk(events: ListWalk['events']): Promise<void> {
    this.writeList();
    let line: string | undefined = STATUS;
    let fault: ToolAction['fault'];
    for (let at = 0; at < ENOUGH; at += 1) {
      for (const { event } of events.filter((one) => one.at === at)) {
        this.followed = new Set();
        if ('fault' in event) ({ fault } = event);
        else if ('user' in event) await this.act(event.user);
        else await this.runPlan(event);
      }
      await this.act({ do: 'put the last whole state back' });
      // only an apply can be killed
      const isDue: boolean = fault?.kind !== 'kill' || line.startsWith('apply ');
      const ran = await this.run(line, isDue ? fault : undefined);
      const isAgain: boolean = ran.killed || (isDue && fault !== undefined && line === STATUS);
      if (isDue) fault = undefined;
      line = isAgain ? line : await this.next(line, ran);
      if (line === undefined) return;
    }
    throw new Broken(`no end after ${ENOUGH} commands`);
  }

  /** The next command that a user runs. Undefined at the end. */
  private async next(line: string, ran: ToolRun): Promise<string | undefined> {
    const [command] = line.split(' ');
    // the emulator has no security events
    if (command === 'review') return `finish --zones ${LIST} --source config`;
    const didSteps = await this.doManualSteps(line, ran);
    const options = [...(didSteps ? [line] : []), ...proposalsOf(line, ran, this.world)];
    const now = JSON.stringify([this.world.look(), this.world.zones.map(({ stage }) => stage)]);
    if (now !== this.now) this.offered = [];
    this.now = now;
    // also an earlier proposal, which comes when a zone that stays unfinished is done
    const isNew = (option: string): boolean => !this.followed.has(`${option} @ ${now}`);
    const next =
      options.find((option) => !this.followed.has(`${line} > ${option} @ ${now}`)) ??
      (options.length > 0 && command !== 'status' ? this.offered.find(isNew) : undefined);
    this.offered.push(...options);
    if (next !== undefined) {
      this.followed.add(`${line} > ${next} @ ${now}`).add(`${next} @ ${now}`);
      return next;
    }
    // what blocks a zone is outside of the migration
    const isBlocked =
      command === 'status' && options.every((option) => /^(check|report|review) /.test(option));
    if (options.length > 0 && !isBlocked) {
      // the remedy for other zones in a state is to list them too
      if (/OTHER_ZONES/.test(ran.stdout) && this.grow()) return STATUS;
      if (await this.removeMisplaced(ran.stdout)) return STATUS;
      throw new Broken(`a circle: ${options.join(' | ')}`);
    }
    if (line !== STATUS) return STATUS;
    const { provider } = this.world.spec;
    if (/METHOD_UNSUITABLE/.test(ran.stdout) && this.world.folders[0]?.version === provider) {
      await this.act({ do: 'upgrade the provider', version: '3.35.0' });
      return /(?<=cf-waf-migrate )plan --zones .+/.exec(ran.stdout)?.[0] ?? STATUS;
    }
    const isLast = this.listed >= this.world.zones.length - 1;
    if (ran.code === 0 || isLast) this.judgeLeft();
    return this.grow() ? STATUS : undefined;
  }

  private async run(line: string, fault?: ToolAction['fault']): Promise<ToolRun> {
    const { world, model } = this;
    const args = withFlags(line, fault);
    const [command = '', operand = ''] = args;
    const [before, protection] = [world.look(), await world.protection()];
    const plans = plansOf(world);
    // the imports that a rollback may remove
    if (command === 'rollback')
      model.journals.set(operand, { plan: merged([...plans.values()])!, before: null });
    tally.runs += 1;
    const ran = await runTool(world, args, fault);
    this.lines.push(`${lineOf(args, fault)} # ${ran.killed ? 'killed' : `exits with ${ran.code}`}`);
    this.lines.push(...`${ran.stdout}\n${ran.stderr}`.split('\n').map((one) => `#     ${one}`));
    const after = world.look();
    const concerned = [...plans].flatMap(([file, plan]) => {
      const isChanged = contentOf(plan, before) !== contentOf(plan, after);
      return (command === 'verify' ? file.startsWith(operand) : isChanged) ? plan : [];
    });
    model.plan = merged(concerned);
    await model.judge(args, before, ran, true);
    model.judgeProtection(args, protection, await world.protection());
    if (MOVING.has(command)) await world.moved();
    return ran;
  }

  /** Applies one plan of the list, or rolls it back. */
  private async runPlan({ run, plan: at }: Extract<Event, { run: string }>): Promise<void> {
    const plans = [...plansOf(this.world)];
    const [file = '', plan] = plans[at % plans.length] ?? [];
    if (plan === undefined) return;
    const codes = plan.findings.flatMap(({ severity, code }) =>
      severity === 'decision' ? ` --accept ${code}` : [],
    );
    if (run === 'apply') await this.run(`apply ${file}${codes.join('')}`);
    // the user undoes manual steps
    else if (!plan.steps.some(({ kind }) => kind === 'manual')) await this.run(`rollback ${file}`);
  }

  private async act(action: UserAction): Promise<void> {
    const { world, model, start } = this;
    const lines = await act(action, world, model, start);
    this.lines.push(...lines);
    if (lines.length > 0) await model.userChanged();
    world.writes();
  }

  /** Does the manual steps for which plans wait. */
  private async doManualSteps(line: string, { stdout }: ToolRun): Promise<boolean> {
    const [command, operand = ''] = line.split(' ');
    if (command !== 'apply') return false;
    const plans = plansOf(this.world);
    const before = this.lines.length;
    for (const [, step, file = operand] of stdout.matchAll(
      /step (\S+)(?: of (\S+) is open| is manual\.)/gi,
    ))
      this.lines.push(
        ...(await doManualStep(this.world, { plan: plans.get(file) ?? null, waiting: step })),
      );
    return this.lines.length > before;
  }

  /** Removes the ruleset of another zone from a state, as the remedy of its finding says. */
  private async removeMisplaced(stdout: string): Promise<boolean> {
    const { world, model } = this;
    const [, named, address = ''] =
      /the state has (?:ruleset|the managed ruleset of zone) (\w+).*?`terraform state rm (\S+)`/.exec(
        stdout.replace(/\s+/g, ' '),
      ) ?? [];
    const folder = world.folders.find((one) => {
      const { id, zone_id: zone } =
        instancesOf(world.stateText(one)).get(address)?.instance.attributes ?? {};
      return named !== undefined && (id === named || zone === named);
    });
    if (folder === undefined) return false;
    await world.terraform(folder, `state rm ${address}`);
    this.lines.push(`(cd ${folder.dir} && terraform state rm ${address})`);
    await model.userChanged();
    world.writes();
    return true;
  }

  /** Adds the next zone to the list. */
  private grow(): boolean {
    if (this.listed >= this.world.zones.length - 1) return false;
    this.listed += 1;
    this.writeList();
    return true;
  }

  private writeList(): void {
    const { folders } = this.world;
    const lines = this.listedZones().map((zone) => {
      const folder = folders.find((one) => one.zones.includes(zone));
      return `${zone.id},${folder?.dir ?? ''}\n`;
    });
    this.world.write(LIST, `zone_id,dir\n${lines.join('')}`);
    this.lines.push(`# ${LIST} has ${lines.length} zones`);
    this.followed = new Set();
  }

  /** The zones of the list. No folder has the last zone of the world. */
  private listedZones(): Zone[] {
    return this.world.zones.slice(0, -1).slice(0, this.listed);
  }

  /** If status says that all is done, no migrated zone of the list has legacy resources. */
  private judgeLeft(): void {
    const done = this.listedZones().filter(({ stage }) => stage === 'migrated');
    for (const folder of this.world.folders)
      for (const [address, { type, instance }] of instancesOf(this.world.stateText(folder)))
        if (
          type.startsWith('cloudflare_waf_') &&
          done.some(({ id }) => id === instance.attributes['zone_id'])
        )
          throw new Broken(`status proposes nothing, and ${address} is left in ${folder.dir}`);
  }
}

/** A URI override blocks a zone that has not migrated, until the user deletes it. */
const listWorlds = worldSpecs.map((world): WorldSpec => {
  const zones = world.zones.map((zone) =>
    zone.stage === 'migrated' ? zone : { ...zone, settings: zone.settings % 3 },
  );
  return { ...world, zones };
});

/** The rules hold in every walk over a list. */
export function listWalks(layer: Layer) {
  const event = fc.oneof(
    listFaults.map((fault): Event => ({ fault })),
    listActions.map((user): Event => ({ user })),
    fc.record({ run: fc.constantFrom('apply' as const, 'rollback' as const), plan: fc.nat(2) }),
  );
  const walks = fc.record<ListWalk>({
    world: listWorlds,
    listed: fc.integer({ min: 1, max: 3 }),
    events: fc.array(fc.record({ at: fc.nat(20), event }), { maxLength: 4 }),
  });
  return fc.asyncProperty(walks, async (walk) => {
    await walkList(walk, layer);
  });
}

export async function walkList(walk: ListWalk, layer: Layer): Promise<string[]> {
  const world = await World.open(walk.world, layer);
  const going = new ListGoing(world, walk.listed);
  tally.walks += 1;
  try {
    await going.walk(walk.events);
    return going.lines;
  } catch (error) {
    const told = String(error instanceof Error ? error.message : error);
    const text = [told, '', ...going.lines, '', JSON.stringify(walk)].join('\n');
    throw new Error(text, { cause: error });
  } finally {
    await world.close();
  }
}

/** The words of a command line, which changes something without questions and waits. */
function withFlags(line: string, fault: ToolAction['fault']): string[] {
  const isApplied = /^(apply|rollback|start-validation) /.test(line);
  const isInWaves = /^(apply|finish) .*--zones/.test(line);
  const flags = [
    ...(isApplied ? ['--yes'] : []),
    ...(isInWaves ? ['--pause 0'] : []),
    // another plan must not continue after the kill
    ...(isInWaves && fault?.kind === 'kill' ? ['--concurrency 1'] : []),
    // the result names what is left to the user
    ...(line.startsWith('rollback ') ? ['--json'] : []),
  ];
  return [line, ...flags.filter((flag) => !line.includes(flag))].join(' ').split(' ');
}
