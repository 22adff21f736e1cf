import { applyEdits } from '../../../src/apply/steps/edit';
import { type Plan, type Step } from '../../../src/plan/plan';
import { judgePlan } from '../../../src/terraform/judge-plan';
import { type Lab } from '../../support/lab';

/** Plans by the command line, in the folder of a lab; its exit code is the test's to judge. */
export async function planIn(
  lab: Lab,
  zoneIds: readonly string[],
  ...args: readonly string[]
): Promise<{ code: number; plan: Plan; stderr: string }> {
  const zones = zoneIds.flatMap((zone) => ['--zone', zone]);
  const dirs = args.includes('--dir') ? [] : ['--dir', lab.dir];
  const run = await lab.cli(['plan', ...zones, ...dirs, ...args, '--json']);
  if (run.stdout === '') throw new Error(run.stderr);
  return { code: run.code, plan: JSON.parse(run.stdout), stderr: run.stderr };
}

/**
 * Does what a plan says, step by step, with the real Terraform. After each step, and once more at
 * the end, its `expects` is what the state has; at the end the state has nothing else new or lost.
 */
export async function carryOut(
  lab: Lab,
  plan: Plan,
  onUpgrade: (version: string) => void = () => undefined,
): Promise<void> {
  const dirs = new Map(plan.states.map(({ name, dir }) => [name, dir]));
  const expected = new Map<string, Set<string>>();
  for (const [name, dir] of dirs) expected.set(name, new Set(await lab.stateList(dir)));
  for (const step of plan.steps) {
    if (step.kind === 'upgrade-provider') onUpgrade(step.provider!);
    await carryOutStep(lab, step);
    const { gone = [], present = [] } = step.expects ?? {};
    const now = expected.get(step.state)!;
    for (const address of gone) now.delete(address);
    for (const address of present) now.add(address);
    if (gone.length + present.length > 0) {
      expect(await lab.stateList(dirs.get(step.state))).toEqual([...now].sort(byText));
    }
  }
  for (const [name, dir] of dirs) {
    expect((await lab.stateList(dir)).sort(byText)).toEqual([...expected.get(name)!].sort(byText));
  }
}

async function carryOutStep(lab: Lab, step: Step): Promise<void> {
  if (step.kind === 'upgrade-provider') {
    const to = step.provider!;
    await lab.use({ major: to.startsWith('4') ? 4 : 5 });
  }
  for (const { argv, saveTo } of step.runs ?? []) {
    const [binary, ...args] = argv;
    const ran = binary === 'terraform' ? await lab.terraform(...args) : await lab.cli(args);
    expect([argv.join(' '), ran.stderr, ran.code]).toEqual([argv.join(' '), '', 0]);
    if (saveTo !== undefined) expect(JSON.parse(ran.stdout)).toHaveProperty('lineage');
    if (args.includes('show')) {
      expect(judgePlan(JSON.parse(ran.stdout), 'import-and-forget').differences).toEqual([]);
    }
  }
  if (step.edits) await applyEdits(step.edits, lab.dir);
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1);
