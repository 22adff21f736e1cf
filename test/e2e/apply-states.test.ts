import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { apply, applySettings, rollback } from '../support/apply-world';
import { acceptAll, journalOf } from '../support/plans';
import { inWorld, ofZone, stateOf, type World } from '../support/world';

const RULESET = 'cloudflare_ruleset.managed_rules';
async function planFor({ lab, zoneIds }: World, dirs: string): Promise<Plan> {
  const made = await lab.cli(`plan --zone ${zoneIds[0]!} --dir ${dirs} --from 3 --out plan.json`);
  expect([made.stderr, made.code]).toEqual(['', 0]);
  return JSON.parse(lab.read('plan.json')) as Plan;
}

/** Half of the zone's legacy resources in a second folder with another state. */
function split({ lab, resources }: World): string[][] {
  const half = resources.length >> 1;
  const parts = [resources.slice(0, half), resources.slice(half)];
  mkdirSync(join(lab.dir, 'rest'));
  lab.write('rest/provider.tf', lab.read('provider.tf'));
  for (const [at, dir] of ['.', 'rest'].entries()) {
    lab.write(`${dir}/main.tf`, parts[at]!.map(({ block }) => block).join('\n'));
    lab.write(`${dir}/terraform.tfstate`, stateOf(parts[at]!, at));
  }
  return parts.map((part) => part.map(({ address }) => address));
}

it('one zone over two states: one imports the ruleset, both remove from state, and both come back', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    const addresses = split(world);
    const resources = () =>
      ['terraform.tfstate', 'rest/terraform.tfstate'].map(
        (file) => (JSON.parse(lab.read(file)) as { resources: object[] }).resources,
      );
    const before = resources();
    const texts = ['main.tf', 'rest/main.tf'].map((file) => lab.read(file));
    const plan = await planFor(world, '. rest');
    expect(plan.states).toHaveLength(2);
    const rehearsed = await lab.cli('rehearse plan.json --json');
    expect(JSON.parse(rehearsed.stdout)).toMatchObject({ verdict: 'clean', notRehearsed: [] });
    expect([await lab.stateList('.'), await lab.stateList('rest')]).toEqual(addresses);

    expect((await lab.cli('apply plan.json --yes')).code).toBe(0);
    const [owner] = plan.zones.map(({ ruleset }) => ruleset.state);
    const now = { main: await lab.stateList('.'), rest: await lab.stateList('rest') };
    expect(Object.values(now).flat()).toEqual([RULESET]);
    expect(now[owner as 'main' | 'rest']).toEqual([RULESET]);
    const verified = await lab.cli('verify plan.json --json');
    expect(JSON.parse(verified.stdout)).toEqual({ verdict: 'clean', differences: [] });

    // one journal, in which each backup names its state
    const saved = lab
      .read(journalOf(plan))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; state?: string })
      .filter(({ event }) => event === 'backup');
    expect(saved.map(({ state }) => state).sort()).toEqual(
      plan.states.map(({ name }) => name).sort(),
    );
    const back = await rollback(world, journalOf(plan), '--json');
    expect([back.stderr, back.code]).toEqual(['', 0]);
    expect(resources()).toEqual(before);
    expect(['main.tf', 'rest/main.tf'].map((file) => lab.read(file))).toEqual(texts);
  }));

it('two states: the new one has the ruleset before anything is removed from the legacy one, wherever it is killed', () =>
  inWorld(applySettings, async (world) => {
    const { lab, addresses } = world;
    mkdirSync(join(lab.dir, 'stack'));
    lab.write('stack/provider.tf', lab.read('provider.tf'));
    const plan = await planFor(world, '. stack');
    expect(plan.zones.map(({ ruleset }) => ruleset.state)).toEqual(['stack']);
    const seen: string[] = [];
    const apply = ['apply', 'plan.json', '--yes', '--json'];
    for (const point of ['import-before', 'import-after', 'remove-before', 'remove-after', '']) {
      const run = await lab.spawn(apply, { environment: { CF_WAF_MIGRATE_KILL_AT: point } });
      expect([run.signal, run.code]).toEqual(point === '' ? [null, 0] : ['SIGKILL', null]);
      const old = await lab.stateList('.');
      const owned = (await lab.stateList('stack')).includes(RULESET);
      // at every moment, a state has the ruleset or the legacy resources
      expect(owned || old.length === addresses.length).toBe(true);
      seen.push(`${owned ? 'owned' : 'not yet'}, ${old.length === 0 ? 'none' : 'all'} old`);
    }
    expect([...new Set(seen)]).toEqual(['not yet, all old', 'owned, all old', 'owned, none old']);
    const verified = await lab.cli('verify plan.json --json');
    expect(JSON.parse(verified.stdout)).toEqual({ verdict: 'clean', differences: [] });
    expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);

    const back = await rollback(world, journalOf(plan), '--json');
    expect([back.stderr, back.code]).toEqual(['', 0]);
    const now = [await lab.stateList('.'), await lab.stateList('stack')];
    expect(now).toEqual([addresses, []]);
  }));

it('a state that keeps another zone, and has no ruleset: a plan without a read shows what would be destroyed', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab } = world;
    mkdirSync(join(lab.dir, 'stack'));
    lab.write('stack/provider.tf', lab.read('provider.tf'));
    await lab.cli(`plan --zone ${world.zoneIds[0]!} --from 3 --dir . stack --out plan.json`);
    const plan = JSON.parse(lab.read('plan.json')) as Plan;
    expect(acceptAll(plan)).toEqual(['--accept', 'OTHER_ZONES']);
    expect(plan.zones.map(({ ruleset }) => ruleset.state)).toEqual(['stack']);
    const own = plan.steps.filter(({ state }) => state === 'main');
    const argv = ['terraform', 'plan', '-input=false', '-detailed-exitcode', '-refresh=false'];
    expect(own.at(-1)).toMatchObject({ kind: 'check', runs: [{ argv }] });
    const verdict = async (command: string) =>
      JSON.parse((await lab.cli(`${command} plan.json --json`)).stdout).verdict as unknown;
    expect(await verdict('rehearse')).toBe('clean');
    const applied = await apply(world);
    expect([applied.stderr, applied.code]).toEqual([expect.any(String), 0]);
    expect(await lab.stateList('.')).toEqual(
      ofZone(world, world.zoneIds[1]!).map(({ address }) => address),
    );
    expect(lab.asked().filter((line) => line.includes('/firewall/'))).toEqual([]);
    expect(await verdict('verify')).toBe('clean');
    lab.write('main.tf', '');
    expect(await verdict('verify')).toBe('dirty');
  }));
