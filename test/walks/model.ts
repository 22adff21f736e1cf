import { isDeepStrictEqual } from 'node:util';
import { ANSWERED_BY_EMPTY_PLAN, type Plan } from '../../src/plan/plan-schema';
import { sha256 } from '../../src/core/json';
import { type FileEdit } from '../../src/tfconfig/file-edit';
import { withoutKeys } from '../../src/core/resource-address';
import { majorOf } from '../support/provider/majors/majors';
import { type ToolRun } from './layer';
import { type Folder, instancesOf, isTorn, type Snapshot, type World, type Zone } from './world';

/** Commands that only read: they change no file or state of the user. */
const READING = new Set([
  ...['check', 'report', 'rehearse', 'verify', 'status', 'plan', 'fetch-config'],
  ...['firewall', 'catalogue', 'fleet', 'review'],
]);
/** Commands that migrate a zone. No other command sends a write request. */
export const MOVING = new Set(['finish', 'start-validation']);
/** The maximum number of repetitions of a command until it changes nothing. */
const ENOUGH = 3;

/** A broken rule, in one sentence. */
export class Broken extends Error {}

/** The known facts of a walk, and the six rules that it must never break. */
export class Model {
  /** The plan in plan.json. Null before the first plan, and if the file is not JSON. */
  plan: Plan | null = null;
  /** Whether the user edited plan.json. */
  isEdited = false;
  /** Whether `plan --write` made the edits of the plan, which the user reverts with git. */
  isWritten = false;
  /** Whether a fault disturbed a run since the plan was made. */
  isDisturbed = false;
  /** Whether the user has changed anything. */
  isOvertaken = false;
  /** Whether the user has changed anything since the plan was made. */
  isOutdated = false;
  /** Whether a rollback has changed what the plan is based on. */
  isStale = false;
  /** The started plans by journal. `before`, which a rollback restores, is null after a change by the user. */
  readonly journals = new Map<
    string,
    { plan: Plan; before: Snapshot | null; isByHand?: boolean }
  >();
  /** Addresses that Terraform plans to destroy because of the user's changes. */
  readonly byUser = new Set<string>();
  /** Blocks that the user deleted, as `cloudflare_waf_rule.name`. */
  readonly deleted = new Set<string>();
  /** The manual step for which the last `apply` waits. */
  waiting: string | undefined;
  /** The last command that can change something. */
  last: string[] | undefined;

  constructor(private readonly world: World) {}

  /** Attributes the changes that Terraform now plans to the user. */
  async userChanged(): Promise<void> {
    this.isOvertaken = this.isOutdated = true;
    for (const begun of this.journals.values()) begun.before = null;
    for (const address of await this.destroyed()) this.byUser.add(address);
  }

  /** Checks the rules after one run of the tool. */
  async judge(args: string[], before: Snapshot, ran: ToolRun, faulted: boolean): Promise<void> {
    const [command = ''] = args;
    const after = this.world.look();
    const isSame = isDeepStrictEqual(before, after);
    this.judgeWrites(args);
    this.judgeWords(args, ran);
    if (READING.has(command) && !args.includes('--write') && !isSame)
      throw new Broken(`${command} changed what is the user's`);
    if (command === 'apply' && this.isEdited && !isSame)
      throw new Broken('apply carried out a plan that was edited by hand');
    const ignored = command === 'apply' && !isSame ? this.openDecisions(args) : [];
    if (ignored.length > 0)
      throw new Broken(`apply changed something, and nobody accepted ${ignored.join(', ')}`);
    this.judgeResources(args, before, after);
    if (command === 'rollback' && ran.code === 2)
      // the user has to restore these resources
      for (const { addresses } of JSON.parse(ran.stdout || '{}').byHand ?? [])
        for (const address of addresses) this.byUser.add(address);
    // a rollback that did not end cannot say what to restore; the next one does
    if (command === 'rollback' && (ran.killed || ran.code === 1))
      for (const { kind, addresses = [] } of this.journals.get(args[1] ?? '')?.plan.steps ?? [])
        if (kind === 'manual') for (const address of addresses) this.byUser.add(address);
    if (command === 'rollback' && !args.includes('--force')) {
      if (ran.code === 0) this.judgeRestored(args, after);
      if (ran.code === 2) this.judgeLeft(args, ran);
    }
    // `--force` restores a state even if the files have changed
    const isForced = command === 'rollback' && args.includes('--force');
    if (!isSame && !isForced) await this.judgeDestroys();
    if (ran.code === 0 && (command === 'apply' || command === 'verify') && !args.includes('--only'))
      await this.judgeEnd(args);
    if (
      command === 'apply' &&
      ran.code === 1 &&
      !faulted &&
      !this.isDisturbed &&
      !this.isOvertaken &&
      !this.isStale &&
      !this.mayRefuse(args)
    )
      throw new Broken(`a plan without blockers cannot be applied: ${lastLine(ran.stderr)}`);
  }

  /** Rule 1: no zone has fewer WAFs, but after confirmation, finish turns off one of two. */
  judgeProtection(args: readonly string[], before: number[], after: number[]): void {
    const least = ({ name }: Zone, at: number): number => {
      const isConfirmed = args[0] === 'finish' && (args.includes(name) || args.includes('--zones'));
      return isConfirmed ? Math.min(1, before[at]!) : before[at]!;
    };
    if (this.world.zones.some((zone, at) => after[at]! < least(zone, at)))
      throw new Broken(`${args[0] ?? ''} left a zone with fewer WAFs`);
  }

  /** Rule 2: only commands that migrate a zone send write requests. */
  private judgeWrites([command = '']: string[]): void {
    const writes = this.world.writes();
    if (!MOVING.has(command) && writes.length > 0)
      throw new Broken(`${command} sent ${writes.join(', ')}`);
  }

  /** Rule 5: an error has a code. */
  private judgeWords(args: string[], { code, stdout, stderr, killed }: ToolRun): void {
    if (killed) return;
    if (![0, 1, 2, 3, 64].includes(code))
      throw new Broken(`${args[0] ?? ''} ended with ${code}: ${lastLine(stderr)}`);
    if (code === 0 || code === 2) return;
    const line = lastLine(stderr);
    // the text for a list has its errors among the zones
    if (/^Ledger: |\([A-Z][A-Z_]+\)/m.test(stdout + stderr)) return;
    const [, error = 'BUG'] = /^\{"error":\{"code":"([A-Z_0-9]+)","message":"/.exec(line) ?? [];
    if (error === 'BUG') throw new Broken(`${args.join(' ')}: an error without a code: ${line}`);
  }

  /** Rule 3: resources stay in the state, or the plan announces their removal and a backup has them. */
  private judgeResources(
    [command = '', file = '']: string[],
    before: Snapshot,
    after: Snapshot,
  ): void {
    const backups = this.world.backups();
    for (const { dir } of this.world.folders) {
      const imported = zonesIn(dir, this.journals.get(file)?.plan);
      const rulesets = new Set(imported.map(({ ruleset }) => ruleset.address));
      const [old, now] = [before, after].map(({ states }) => instancesOf(states[dir] ?? ''));
      if (isTorn(before.states[dir] ?? '')) continue;
      const isUnreadable = isTorn(after.states[dir] ?? '');
      const { lineage } = JSON.parse(before.states[dir] ?? '{}') as { lineage?: string };
      const copies = backups
        .filter((state) => state.lineage === lineage)
        .map((state) => instancesOf(JSON.stringify(state)));
      for (const [address, { instance }] of now!)
        if (command === 'apply' && !old!.has(address))
          this.judgeImport(dir, address, instance.attributes);
      for (const [address, { type, instance }] of old!) {
        const kept = now!.get(address);
        if (kept !== undefined) {
          const { id } = kept.instance.attributes;
          // a rollback restores what the user has replaced since
          const isRestored =
            command === 'rollback' &&
            copies.some((copy) => copy.get(address)?.instance.attributes['id'] === id);
          if (id !== instance.attributes['id'] && !isRestored)
            throw new Broken(`${address} has another id`);
          continue;
        }
        // a rollback removes the rulesets that the tool imported
        if (command === 'rollback' && rulesets.has(address)) continue;
        if (command === 'apply' && !isUnreadable && !this.announced(dir).has(address))
          throw new Broken(`${address} left the state unannounced`);
        const isSaved = copies.some(
          (copy) => JSON.stringify(copy.get(address)?.instance) === JSON.stringify(instance),
        );
        if (!isSaved) throw new Broken(`${address} left the state and is in no backup`);
        if (command === 'apply' && !isUnreadable && type.startsWith('cloudflare_waf_'))
          this.judgeRemoval(dir, address, String(instance.attributes['zone_id']), after);
      }
    }
  }

  /** Requires that an import at the address of a zone's ruleset imports that ruleset. */
  private judgeImport(
    dir: string,
    address: string,
    { id, zone_id: zoneId }: Record<string, unknown>,
  ): void {
    const zone = zonesIn(dir, this.plan).find(({ ruleset }) => ruleset.address === address);
    if (zone !== undefined && (zoneId !== zone.zoneId || id !== zone.ruleset.id))
      throw new Broken(`${address} has the ruleset of another zone`);
  }

  /** Requires that a resource is removed only for its own zone, and after the import if the provider stays 3. */
  private judgeRemoval(dir: string, address: string, zoneId: string, after: Snapshot): void {
    const { zones = [], states = [] } = this.plan ?? {};
    const zone = zones.find((one) => one.zoneId === zoneId);
    if (zone === undefined) {
      // a plan without zones removes the legacy resources of all zones
      if (zones.length > 0) throw new Broken(`${address} is of a zone that was not planned`);
      return;
    }
    const state = states.find((one) => one.dir === dir);
    const owner = states.find(({ name }) => name === zone.ruleset.state);
    const importsFirst =
      state?.method === 'commands' &&
      state.provider.to.startsWith('3.') &&
      majorOf(this.world.spec.provider) === 3 &&
      this.world.folders.every(({ extras }) => !extras.includes('data'));
    const isThere = instancesOf(after.states[owner?.dir ?? ''] ?? '').has(zone.ruleset.address);
    if (importsFirst && !isThere)
      throw new Broken(`${address} left the state before the ruleset of its zone came`);
  }

  private announced(dir: string): Set<string> {
    const { states = [], steps = [] } = this.plan ?? {};
    const names = new Set(states.filter((one) => one.dir === dir).map(({ name }) => name));
    return new Set(
      steps
        .filter(({ state }) => names.has(state))
        .flatMap(({ expects, addresses = [], kind }) => [
          ...(expects?.gone ?? []),
          ...(kind === 'remove' ? addresses : []),
        ]),
    );
  }

  /** Rule 3: a rollback restores every byte. */
  private judgeRestored([, journal = '']: string[], after: Snapshot): void {
    const { before = null, isByHand = false } = this.journals.get(journal) ?? {};
    if (before === null) return;
    const resources = ({ states }: Snapshot) => Object.values(states).map(instancesOf);
    if (!isDeepStrictEqual(resources(before), resources(after)))
      throw new Broken('rollback did not restore the states');
    // the user reverts the changes of manual steps
    if (isByHand) return;
    // a killed edit of an earlier plan leaves a part file, which the next edit of that file deletes
    const isWhole = ([name]: [string, string]): boolean => !name.endsWith('.part');
    const files = ({ files }: Snapshot) =>
      Object.fromEntries(Object.entries({ ...files, ...lockFilesOf(files) }).filter(isWhole));
    if (!isDeepStrictEqual(files(before), files(after)))
      throw new Broken('rollback did not restore the files');
  }

  /** Rule 3: a rollback reverts all edits of the tool. */
  private judgeLeft([, journal = '']: string[], { stdout }: ToolRun): void {
    const { before = null, plan, isByHand = false } = this.journals.get(journal) ?? {};
    if (before === null) return;
    const left: { step: string }[] = JSON.parse(stdout).byHand;
    // `plan --write` may have made an edit before the run
    const isOfRun = ({ file, sha256After }: FileEdit): boolean => {
      const text = before.files[file];
      return (text === undefined ? null : sha256(text)) !== sha256After;
    };
    const edit = left.find(({ step }) =>
      plan?.steps.some(({ id, edits = [] }) => id === step && edits.some(isOfRun)),
    );
    if (!isByHand && edit !== undefined)
      throw new Broken(`rollback left the edit of step ${edit.step} to the user`);
  }

  /** Rule 4: the next `terraform plan` destroys and replaces nothing. */
  private async judgeDestroys(): Promise<void> {
    const isOfUser = (address: string): boolean =>
      this.byUser.has(address) ||
      [...this.deleted].some((name) => withoutKeys(address).endsWith(name));
    const caused = (await this.destroyed()).filter((address) => !isOfUser(address));
    if (caused.length > 0) throw new Broken(`Terraform would now destroy ${caused.join(', ')}`);
  }

  /** Resources that Terraform would destroy or replace, if it can plan. */
  private async destroyed(): Promise<string[]> {
    const plan = 'plan -refresh=false -input=false -lock=false -json';
    const plans = await Promise.all(
      this.world.folders.map((folder) => this.world.terraform(folder, plan)),
    );
    return plans.flatMap(({ stdout }) =>
      stdout
        .split('\n')
        .filter((line) => line.includes('"planned_change"'))
        .map((line) => JSON.parse(line).change)
        .filter(({ action }) => action === 'delete' || action === 'replace')
        .map(({ resource }) => String(resource.addr))
        .filter((address) => !address.startsWith('output.')),
    );
  }

  /** Rule 5: after success, `terraform plan` is empty and verify succeeds. */
  private async judgeEnd(args: string[]): Promise<void> {
    const [command = '', file = ''] = args;
    for (const folder of this.planned()) {
      const plan = ['plan -detailed-exitcode -input=false -no-color', ...this.targets(folder)];
      const { code, stdout, stderr } = await this.world.terraform(folder, plan.join(' '));
      // the next apply of the user removes outputs that are no longer declared
      const isOfOutputs =
        /without changing any real\s+infrastructure|^ {2}# output.legacy will be: delete\n$/.test(
          stdout,
        );
      if (code === 2 && isOfOutputs) continue;
      if (code !== 0)
        throw new Broken(
          `${command} says that it is done, and Terraform plans with ${code}: ${(stdout + stderr).slice(-1500)}`,
        );
    }
    // the plans of a list are verified by the next command
    if (command !== 'apply' || args.includes('--zones')) return;
    const verified = await this.world.cli(['verify', file, '--json']);
    if (verified.code !== 0)
      throw new Broken(
        `apply says that it is done, and verify does not: ${verified.stdout}${verified.stderr}`,
      );
  }

  /** Targets the planned zones if resources of other zones stay. */
  private targets(folder: Folder): string[] {
    const zones = this.plan?.zones ?? [];
    const left = [...instancesOf(this.world.stateText(folder)).values()].some(
      ({ type, instance }) =>
        type.startsWith('cloudflare_waf_') &&
        !zones.some(({ zoneId }) => zoneId === instance.attributes['zone_id']),
    );
    return left ? zones.map(({ ruleset }) => `-target=${ruleset.address}`) : [];
  }

  /** Excludes folders without a step, because these are unchanged even if they cannot be planned. */
  private planned(): Folder[] {
    const { states = [], steps = [] } = this.plan ?? {};
    const changed = new Set(steps.map(({ state }) => state));
    const dirs = new Set(states.filter(({ name }) => changed.has(name)).map(({ dir }) => dir));
    return this.world.folders.filter(({ dir }) => dirs.has(dir));
  }

  /** Whether the plan itself says that it cannot be applied unchanged. */
  private mayRefuse(args: string[]): boolean {
    const { findings = [], steps = [] } = this.plan ?? {};
    return (
      // a plan with only checks makes no promise
      steps.every(({ kind }) => kind === 'check') ||
      args.includes('--only') ||
      // an accepted decision can leave changes in `terraform plan`
      findings.some(
        ({ severity, code }) => severity === 'blocker' || ANSWERED_BY_EMPTY_PLAN.has(code),
      ) ||
      this.openDecisions(args).length > 0
    );
  }

  /** Decisions of the plan that a command does not accept. */
  private openDecisions(args: string[]): string[] {
    return (this.plan?.findings ?? [])
      .filter(({ severity, code }) => severity === 'decision' && !args.includes(code))
      .map(({ code }) => code);
  }

  /** One of two concurrent runs is refused, so no step is done twice. */
  judgeTwice(journal: string): void {
    const { steps = [] } = this.plan ?? {};
    const once = steps.filter(({ kind }) => ['backup', 'import', 'remove', 'edit'].includes(kind));
    const lines = this.world.exists(journal) ? this.world.read(journal).split('\n') : [];
    const twice = once.find(
      ({ id }) =>
        lines.filter((line) => line === JSON.stringify({ event: 'done', step: id })).length > 1,
    );
    if (twice !== undefined) throw new Broken(`two runs at once did step ${twice.id} twice`);
  }

  /** Rule 6: repeating a command reaches a state that it no longer changes. */
  async judgeConvergence(): Promise<void> {
    if (this.last === undefined) return;
    const seen: string[] = [];
    for (let run = 0; run <= ENOUGH; run += 1) {
      const before = this.world.look();
      const ran = await this.world.cli(this.last);
      await this.judge(this.last, before, ran, run > 0);
      const [, error = ''] = /"code":"([A-Z_]+)"/.exec(ran.code === 1 ? ran.stderr : '') ?? [];
      seen.push(`${ran.code} ${error}`);
      if (isDeepStrictEqual(before, this.world.look()) && seen.at(-1) === seen.at(-2)) {
        if (
          ran.code !== 1 ||
          this.isOvertaken ||
          this.isStale ||
          this.last[0] !== 'apply' ||
          this.mayRefuse(this.last)
        )
          return;
        break;
      }
    }
    throw new Broken(`${this.last.join(' ')} does not converge: ${seen.join(', ')}`);
  }
}

/** The zones of a plan whose ruleset is in the state of a folder. */
function zonesIn(dir: string, plan: Plan | null = null): Plan['zones'] {
  const names = plan?.states.filter((one) => one.dir === dir).map(({ name }) => name);
  return plan?.zones.filter(({ ruleset }) => names?.includes(ruleset.state)) ?? [];
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** After a provider upgrade, `rollback` leaves the lock file to the user as a manual step, with exit code 2. */
function lockFilesOf(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(files).flatMap((name) =>
      name.endsWith('.terraform.lock.hcl') ? [[name, '']] : [],
    ),
  );
}
