import fc from 'fast-check';
import { journalOf } from '../support/plans';
import { proposedBy } from './commands/hint';
import { lineOf, runTool } from './commands/run-tool';
import { type ToolAction, toolActions } from './commands/tool';
import { act, TOLD, type UserAction, userActions } from './commands/user';
import { type Layer } from './layer';
import { Broken, Model, MOVING } from './model';
import { instancesOf, isTorn, type Snapshot, World, type WorldSpec, worldSpecs } from './world';

export type Action = ToolAction | UserAction | { do: 'follow the hint' };

/** A walk in the format of the corpus. */
export interface Walk {
  world: WorldSpec;
  actions: Action[];
}

/** The result of a walk: the exit code of each run, and the final addresses of each state. */
interface Way {
  runs: string[];
  addresses: Record<string, string[]>;
}

/** Totals of all walks. */
export const tally = { walks: 0, actions: 0, runs: 0, kills: 0, faults: 0 };

/** A walk in progress: the world, its model, and a log of commands to copy. */
class Going {
  readonly lines: string[] = [];
  readonly done: Action[] = [];
  readonly codes: string[] = [];
  readonly start: Snapshot;
  /** The last run of the tool and its error. */
  private last: { args: string[]; error?: { message: string; hint: string } } = { args: [] };
  /** The number of active WAFs for each zone after the last run. Undefined after a change by the user. */
  private protection: number[] | undefined;

  constructor(
    readonly world: World,
    readonly model: Model,
  ) {
    this.start = world.look();
  }

  async make(action: Action): Promise<void> {
    this.done.push(action);
    tally.actions += 1;
    if (action.do === 'tool') return this.run(action);
    if (action.do === 'follow the hint') return this.follow();
    const lines = await act(action, this.world, this.model, this.start);
    if (lines.length === 0) return;
    this.lines.push(...lines);
    if (!TOLD.has(action.do)) await this.model.userChanged();
    if (action.do === 'do the manual step')
      for (const begun of this.model.journals.values()) begun.isByHand = true;
    this.protection = undefined;
    this.world.writes();
  }

  /** Runs the command that the last error proposes. It must succeed or give another error. */
  private async follow(): Promise<void> {
    const { args: before, error } = this.last;
    const args = error && proposedBy(error.hint, before, this.world);
    if (error === undefined || args === undefined) return;
    await this.run({ do: 'tool', line: args.join(' ') });
    const { args: typed, error: next } = this.last;
    const isAgain = typed.join(' ') === before.join(' ');
    if (!isAgain && next?.message === error.message)
      throw new Broken(
        `${typed.join(' ')} was proposed, and gives the same error: ${next.message}`,
      );
  }

  /** Rolls back the last `apply`. The model checks the result. */
  async goBack(): Promise<void> {
    const { plan, journals, last } = this.model;
    const isLast = plan !== null && [...journals.keys()].at(-1) === journalOf(plan);
    if (last?.[0] === 'apply' && isLast)
      await this.run({ do: 'tool', line: 'rollback $journal --yes --json' });
  }

  /** Whether the prerequisites of a run exist. */
  can({ line }: ToolAction): boolean {
    if (line.includes('$journal')) return this.model.journals.size > 0;
    return !line.includes('plan.json') || line.startsWith('plan ') || this.model.plan !== null;
  }

  private async run({ line, fault, twice }: ToolAction): Promise<void> {
    const { world, model } = this;
    const args = this.expand(line.split(' '));
    const before = world.look();
    const [command = ''] = args;
    this.lines.push(lineOf(args, fault) + (twice === true ? ' & !!; wait' : ''));
    tally.runs += 1;
    if (fault !== undefined) tally.faults += 1;
    if (fault?.kind === 'kill') tally.kills += 1;
    const journal = model.plan === null ? '' : journalOf(model.plan);
    const isNew = !model.journals.has(journal);
    if (command === 'apply' && model.plan !== null && !model.isEdited && isNew)
      model.journals.set(journal, {
        plan: model.plan,
        before,
        isByHand: model.isWritten || model.isOutdated || model.isStale,
      });
    if (command === 'apply' || command === 'rollback') model.last = args;
    const protection = this.protection ?? (await world.protection());
    world.writes();
    const ran = await runTool(world, args, fault, twice);
    const [, code = ''] = /"error":\{"code":"(\w+)"/.exec(ran.stderr) ?? [];
    this.codes.push(`${line}: ${ran.killed ? 'killed' : `${ran.code} ${code}`}`);
    const error = ran.code === 1 || ran.code === 64 ? errorOf(ran.stderr) : undefined;
    this.last = { args, ...(error && { error }) };
    if (command === 'apply') model.waiting = ran.code === 2 ? waitingOf(ran.stdout) : undefined;
    if (fault !== undefined) model.isDisturbed = true;
    if (command === 'rollback') model.isStale = true;
    if (twice === true && command === 'apply' && isNew) model.judgeTwice(journal);
    await model.judge(args, before, ran, fault !== undefined || twice === true);
    this.protection = await world.protection();
    model.judgeProtection(args, protection, this.protection);
    if (MOVING.has(command) && ran.code === 0) await world.moved();
    if (MOVING.has(command) || command === 'generate') await model.userChanged();
    if (command === 'plan' && args.includes(world.planFile) && (ran.code === 0 || ran.code === 2)) {
      model.plan = JSON.parse(world.read(world.planFile));
      // no run of this plan waits for a manual step yet
      model.waiting = undefined;
      model.isEdited = false;
      model.isDisturbed = model.isStale = model.isOutdated = false;
      model.isWritten = args.includes('--write');
      if (model.isWritten) await model.userChanged();
    }
  }

  private expand(words: readonly string[]): string[] {
    const { folders } = this.world;
    const named = [...new Set(folders.flatMap((folder) => folder.zones))];
    const at = (index: string) => named[Number(index) % named.length]!;
    return words.flatMap((word) => {
      if (word === '$zones')
        return named
          .filter(({ stage }) => stage === 'migrated')
          .flatMap(({ id }) => ['--zone', id]);
      if (word === '$dirs') return folders.flatMap(({ dir }) => ['--dir', dir]);
      if (word === '$journal') return [...this.model.journals.keys()].at(-1)!;
      if (word === '$accept')
        return (this.model.plan?.findings ?? [])
          .filter(({ severity }) => severity === 'decision')
          .flatMap(({ code }) => ['--accept', code]);
      const [, kind, index = ''] = /^\$(zone|name|dirOf)(\d)$/.exec(word) ?? [];
      if (kind === undefined) return word;
      const { id, name } = at(index);
      if (kind === 'dirOf') return folders.find((one) => one.zones.includes(at(index)))!.dir;
      return kind === 'zone' ? id : name;
    });
  }
}

/** A step of a fast-check model run. */
class Step implements fc.AsyncCommand<{ going: Going }, Going> {
  constructor(private readonly action: Action) {}
  check({ going }: { going: Going }): boolean {
    return this.action.do !== 'tool' || going.can(this.action);
  }
  async run(_model: { going: Going }, going: Going): Promise<void> {
    await going.make(this.action);
  }
  toString(): string {
    return JSON.stringify(this.action);
  }
}

async function walking(
  spec: WorldSpec,
  layer: Layer,
  steps: (going: Going) => Promise<void>,
): Promise<Way> {
  const world = await World.open(spec, layer);
  const going = new Going(world, new Model(world));
  tally.walks += 1;
  try {
    await steps(going);
    // the error for a state truncated by a full disk proposes this
    await act({ do: 'put the last whole state back' }, world, going.model, going.start);
    await going.model.judgeConvergence();
    await going.goBack();
    const addresses = world.folders.map((folder): [string, string[]] => [
      folder.dir,
      [...instancesOf(world.stateText(folder)).keys()].sort(),
    ]);
    return { runs: going.codes, addresses: Object.fromEntries(addresses) };
  } catch (error) {
    const walk: Walk = { world: spec, actions: going.done };
    throw new Error(
      [
        String(error instanceof Error ? error.message : error),
        '',
        ...going.lines,
        '',
        JSON.stringify(walk),
      ].join('\n'),
      { cause: error },
    );
  } finally {
    await world.close();
  }
}

/** Repeats a walk of the corpus. */
export function replay(walk: Walk, layer: Layer): Promise<Way> {
  return walking(walk.world, layer, async (going) => {
    for (const action of walk.actions)
      if (action.do !== 'tool' || going.can(action)) await going.make(action);
  });
}

/** The model must accept every walk: any world, with any actions in any order. */
export function walks(layer: Layer) {
  const hints = fc.constant<Action>({ do: 'follow the hint' });
  const actions = [toolActions, toolActions, userActions, hints].map((one: fc.Arbitrary<Action>) =>
    one.map((action) => new Step(action)),
  );
  return fc.asyncProperty(
    worldSpecs,
    fc.commands<{ going: Going }, Going>(actions, { maxCommands: 16, size: 'max' }) as never,
    async (spec, commands: Iterable<fc.AsyncCommand<{ going: Going }, Going>>) => {
      await walking(spec, layer, (going) =>
        fc.asyncModelRun(() => ({ model: { going }, real: going }), commands),
      );
    },
  );
}

/** The error of a run with `--json`. */
function errorOf(stderr: string): { message: string; hint: string } | undefined {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' || isTorn(line) ? undefined : JSON.parse(line).error;
}

function waitingOf(stdout: string): string | undefined {
  // with open decisions there is no result
  if (stdout === '') return undefined;
  return JSON.parse(stdout).steps?.find(({ status }: any) => status === 'waiting')?.id;
}
