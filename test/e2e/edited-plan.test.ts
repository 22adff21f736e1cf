import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, type Step, withDigest } from '../../src/plan/plan-schema';
import { planNewFile } from '../../src/tfconfig/file-edit';
import { applySettings, makePlan, stateNow } from '../support/apply-world';
import { inWorld, ofZone, type World } from '../support/world';

it('every command refuses a plan whose backup was removed, though its digest is right', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { lab, http } = world;
    const { digest, ...plan } = await makePlan(world, 'removing');
    const before = stateNow(world);
    http!.clearLog();
    const steps = plan.steps.slice(1).map((step, at) => ({ ...step, id: String(at + 1) }));
    const refuses = async (command: string, edited: Omit<Plan, 'digest'>) => {
      lab.write('plan.json', JSON.stringify(withDigest(edited)));
      const flags = command === 'apply' ? ['--yes'] : [];
      const { code, stderr } = await lab.cli([command, 'plan.json', '--json', ...flags]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/"code":\s*"\w+"/)]);
      return stderr;
    };
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const command of ['apply', 'rehearse', 'verify'])
      expect(await refuses(command, { ...plan, steps })).toContain('PLAN_INVALID');
    expect([http!.locks(), existsSync(join(lab.dir, 'cf-waf-migrate-backup'))]).toEqual([0, false]);
    // a state that the plan creates needs no backup, but this one exists
    const states = plan.states.map((state) => ({ ...state, lineage: '' }));
    await refuses('apply', { ...plan, states, steps });
    expect([http!.writes(), stateNow(world)]).toEqual([0, before]);
  }));

/** Runs commands on a plan with a matching digest. Expects the code with which each one fails, and no change. */
async function refuses(
  { lab, ...world }: World,
  edited: Omit<Plan, 'digest'>,
  expected: Record<string, string>,
): Promise<void> {
  const now = () => [stateNow({ lab, ...world }), lab.read('main.tf'), lab.read('other/evil.tf')];
  const before = now();
  lab.write('plan.json', JSON.stringify(withDigest(edited)));
  const ended: Record<string, string> = {};
  for (const command of Object.keys(expected)) {
    const [name = '', ...flags] = command.split(' ');
    const { code, stderr } = await lab.cli([name, 'plan.json', '--json', ...flags]);
    ended[command] = /"code":\s*"(\w+)"/.exec(stderr)?.[1] ?? `exit code ${code}`;
  }
  expect([ended, now()]).toEqual([expected, before]);
}
const numbered = (steps: readonly Step[]): Step[] =>
  steps.map((step, at) => ({ ...step, id: String(at + 1) }));

/** A plan that migrates both zones of a world. */
async function planBoth(world: World, ...flags: string[]): Promise<Omit<Plan, 'digest'>> {
  const zones = world.zoneIds.flatMap((zone) => ['--zone', zone]);
  const args = ['plan', '--dir', '.', ...zones, '--format', 'json', '--out', 'both.json', ...flags];
  const { code, stderr } = await world.lab.cli(args);
  expect([stderr, code]).toEqual(['wrote both.json\n', 0]);
  const { digest, ...plan } = JSON.parse(world.lab.read('both.json')) as Plan;
  expect(digest).not.toBe('');
  return plan;
}

const removesBlocks = ({ edits }: Step): boolean =>
  edits?.some(({ remove }) => remove.length > 0) === true;
/** The step without the addresses of the second zone. */
const ofFirst = (step: Step, others: ReadonlySet<string>): Step => {
  const own = (words: readonly string[]): string[] => words.filter((word) => !others.has(word));
  const { addresses = [], runs = [], expects } = step;
  return {
    ...step,
    ...{ addresses: own(addresses), runs: runs.map(({ argv }) => ({ argv: own(argv) })) },
    ...(expects?.gone && { expects: { gone: own(expects.gone) } }),
  };
};

describe('a plan for the first zone whose edit removes the blocks of the second zone too', () => {
  const both = { ...applySettings, zones: 2 };
  /** Only what the first zone needs, with the edit of both zones. */
  const forged = async (world: World): Promise<Omit<Plan, 'digest'>> => {
    const plan = await planBoth(world, '--from', '3');
    const others = new Set(ofZone(world, world.zoneIds[1]!).map(({ address }) => address));
    const steps = plan.steps.map((step) =>
      step.kind === 'remove' || step.kind === 'remove-dry-run' ? ofFirst(step, others) : step,
    );
    return { ...plan, steps, findings: [] };
  };

  it('is refused without a check', () =>
    inWorld(both, async (world) => {
      const plan = await forged(world);
      const steps = plan.steps.filter(
        (one) => ['backup', 'remove', 'remove-dry-run'].includes(one.kind) || removesBlocks(one),
      );
      const edited = { ...plan, zones: [], steps: numbered(steps) };
      await refuses(world, edited, {
        rehearse: 'PLAN_INVALID',
        'apply --yes --only edits': 'PLAN_INVALID',
        'apply --yes': 'PLAN_INVALID',
        verify: 'PLAN_INVALID',
      });
    }));

  it('is refused with a check of one ruleset, and destroys nothing', () =>
    inWorld(both, async (world) => {
      const { steps: all, zones, ...plan } = await forged(world);
      const first = zones[0]!.ruleset.address;
      const isOfFirst = ({ addresses, runs = [], kind }: Step): boolean =>
        kind === 'import' || (kind === 'edit' && addresses !== undefined)
          ? addresses?.includes(first) === true
          : kind !== 'check' || runs.some(({ argv }) => argv.includes(`-target=${first}`));
      const kept = all.filter(isOfFirst);
      const check = kept.find(({ kind }) => kind === 'check')!;
      const edited = { ...plan, zones: zones.slice(0, 1), steps: numbered([...kept, check]) };
      await refuses(world, edited, {
        rehearse: 'CONFIG_EDIT_REFUSED',
        'apply --yes --only edits': 'CONFIG_EDIT_REFUSED',
      });
    }));
});

it('refuses a plan that removes resources of another zone, though its blocker was taken out', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    const args = ['plan', '--dir', '.', '--zone', zoneIds[0]!, '--format', 'json'];
    await lab.cli([...args, '--out', 'one.json', '--method', 'blocks', '--from', '3']);
    const { findings, ...plan } = JSON.parse(lab.read('one.json')) as Plan;
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'OTHER_ZONES', severity: 'blocker' }),
    );
    const edited = { ...plan, findings: [] };
    await refuses(world, edited, {
      rehearse: 'PLAN_INVALID',
      'apply --yes --only edits': 'PLAN_INVALID',
      'apply --yes': 'PLAN_INVALID',
    });
  }));

it('refuses a plan that writes another block to a new file', () =>
  inWorld(applySettings, async (world) => {
    const { digest, ...plan } = await makePlan(world, 'commands');
    expect(digest).not.toBe('');
    mkdirSync(join(world.lab.dir, 'other'));
    const evil = 'data "external" "x" {\n  program = ["id"]\n}\n';
    const edits = [planNewFile('other/evil.tf', evil)];
    const states = plan.states.map((state) => ({
      ...{ ...state, dir: 'other', lineage: '', serial: 0, terraformVersion: '' },
    }));
    const texts = { state: 'main', title: 'Declare the ruleset', why: 'so' };
    const steps: Step[] = [
      { id: '1', kind: 'edit', ...texts, edits },
      {
        ...{ id: '2', kind: 'check', ...texts, expects: { plan: 'empty' } },
        runs: [
          {
            argv: ['terraform', '-chdir=other', 'plan', '-input=false', '-detailed-exitcode'],
          },
        ],
      },
    ];
    const checked = { ...plan, zones: [], states, steps, findings: [] };
    await refuses(world, checked, { 'apply --yes': 'PLAN_INVALID' });
    const unchecked = { ...checked, steps: steps.slice(0, 1) };
    await refuses(world, unchecked, {
      rehearse: 'PLAN_INVALID',
      'apply --yes': 'PLAN_INVALID',
      verify: 'PLAN_INVALID',
    });
  }));

it('refuses a declaration that ignores the changes of its rules, and so would look empty', () =>
  inWorld(applySettings, async (world) => {
    const { digest, ...plan } = await makePlan(world, 'removing');
    expect(digest).not.toBe('');
    const forge = (insert: string): string =>
      insert.replace(/prevent_destroy +=  *true/, '$&\n    ignore_changes = ["rules"]');
    const steps = plan.steps.map((step) => ({
      ...step,
      ...(step.edits && {
        edits: step.edits.map((edit) =>
          edit.insert === undefined ? edit : planNewFile(edit.file, forge(edit.insert)),
        ),
      }),
    }));
    expect(JSON.stringify(steps)).toContain('ignore_changes');
    await refuses(world, { ...plan, steps }, { 'apply --yes': 'PLAN_INVALID' });
  }));
