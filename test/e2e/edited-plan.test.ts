import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseTerraformFlags, passFlags } from '../../src/plan/steps/terraform-flags';
import { type Plan, type Step, withDigest } from '../../src/plan/plan-schema';
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
      const yes = command === 'apply' ? ' --yes' : '';
      const { code, stderr } = await lab.cli(`${command} plan.json --json${yes}`);
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

it('every command that starts Terraform names the flags of the plan first, which another user can have added', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    const { digest, ...plan } = await makePlan(world, 'commands');
    const host = '-var=api_host=evil.example.com\u001b[2K';
    const steps = passFlags(plan.steps, parseTerraformFlags([host, '-lock-timeout=9s']));
    lab.write('plan.json', JSON.stringify(withDigest({ ...plan, steps })));
    expect(digest).not.toBe('');
    // the value of a variable can be a secret
    const flags = 'Flags for Terraform:\n  -var=api_host=…\n  -lock-timeout=9s\n';
    for (const command of ['rehearse', 'verify', 'apply', 'apply --yes']) {
      const { stderr } = await lab.cli([...command.split(' '), 'plan.json']);
      expect(stderr).toContain(flags);
      expect(stderr).not.toContain('evil');
    }
    const { stderr } = await lab.cli(['rehearse', 'plan.json', '--json']);
    expect(stderr).not.toContain('Flags for Terraform');
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

/** A plan that migrates both zones of a world. */
async function planBoth(world: World): Promise<Omit<Plan, 'digest'>> {
  const zones = world.zoneIds.map((zone) => `--zone ${zone}`).join(' ');
  const { code, stderr } = await world.lab.cli(`plan ${zones} --from 3 --out both.json`);
  expect([stderr, code]).toEqual(['', 0]);
  const { digest, ...plan } = JSON.parse(world.lab.read('both.json')) as Plan;
  expect(digest).not.toBe('');
  return plan;
}

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

// test/plan/parse-saved-plan.test.ts has it without a check
it('refuses a plan for the first zone whose edit removes the blocks of the second zone too, and destroys nothing', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { steps: all, zones, ...plan } = await planBoth(world);
    const others = new Set(ofZone(world, world.zoneIds[1]!).map(({ address }) => address));
    const first = zones[0]!.ruleset.address;
    const isOfFirst = ({ addresses, runs = [], kind }: Step): boolean =>
      kind === 'import' || (kind === 'edit' && addresses !== undefined)
        ? addresses?.includes(first) === true
        : kind !== 'check' || runs.some(({ argv }) => argv.includes(`-target=${first}`));
    const kept = all
      .filter(isOfFirst)
      .map((step) => (step.kind.startsWith('remove') ? ofFirst(step, others) : step));
    const check = kept.find(({ kind }) => kind === 'check')!;
    const whole = all.at(-1)!;
    const argv = [...whole.runs![0]!.argv, '-refresh=false'];
    const steps = [...kept, check, { ...whole, runs: [{ argv }] }].map((step, at) => ({
      ...step,
      id: String(at + 1),
    }));
    await refuses(
      world,
      { ...plan, zones: zones.slice(0, 1), steps, findings: [] },
      { rehearse: 'CONFIG_EDIT_REFUSED', 'apply --yes --only edits': 'CONFIG_EDIT_REFUSED' },
    );
  }));

it('refuses a plan that removes resources of another zone, though its blocker was taken out', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    await lab.cli(`plan --zone ${zoneIds[0]!} --method blocks --from 3 --out one.json`);
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
