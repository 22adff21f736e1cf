import { join, resolve } from 'node:path';
import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { planFolder } from '../files/paths';
import { textOfFile } from '../files/read-files';
import { isUndeclared } from '../plan/facts/plan-removal';
import { removeFrom, undeclaredRuleset } from '../plan/findings/state-ruleset-findings';
import {
  cdktfFolder,
  changedAfterSynthesis,
  earlierStacks,
  isCompiled,
  isStackFolder,
  synthCommand,
  synthesisedStacks,
} from '../project/cdktf-project';
import { type DeclaredRulesetAddress, declaredRulesets } from '../project/declared-rulesets';
import { readConfiguration, requireConfiguration } from '../project/read-configuration';
import { type ApplyContext, type StepContext } from './apply-context';
import { zonesDeclaredTwice } from './live-state';

/**
 * The rulesets of a plan that no block declares at their address, because the user changes the files at a manual step:
 * those that an apply would destroy, and those that are declared elsewhere instead.
 */
export async function undeclaredRulesets({
  plan,
  folder,
  original = folder,
  live,
}: Pick<ApplyContext, 'plan' | 'folder' | 'original' | 'live'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, dir } of plan.states) {
    // a step says what is wrong with the files
    const configuration = await requireConfiguration(dir, folder).catch(() => undefined);
    const undeclared = plan.zones.filter(
      ({ ruleset }) => ruleset.state === name && isUndeclared(ruleset.address, configuration),
    );
    if (undeclared.length === 0) continue;
    const isSynthesised = isStackFolder(join(folder, dir));
    const others = await declaredInStacks(dir, isSynthesised ? original : folder);
    for (const { zoneId, ruleset } of undeclared) {
      const place = { dir, isSynthesised, zoneId, address: ruleset.address };
      const isLive = live.get(name)?.addresses.has(ruleset.address) === true;
      if (isLive) findings.push(...undeclaredRuleset.find(place));
      const other = others.find((one) => one.zoneId === zoneId);
      if (other === undefined) continue;
      const isPlanned = plan.states.some((state) => state.dir === (other.dir ?? dir));
      findings.push(misplaced(place, other, !isLive && isPlanned));
    }
  }
  return findings;
}

/** Says that a stack is not that of the present program, in which the user makes changes. */
export async function staleStack(dir: string, folder: string): Promise<Finding[]> {
  const stack = join(folder, dir);
  const changed = isStackFolder(stack) ? await changedAfterSynthesis(stack) : undefined;
  if (changed === undefined) return [];
  const project = cdktfFolder(stack) ?? stack;
  const isEarlier = earlierStacks(project).some((one) => resolve(project, one) === resolve(stack));
  const compile = isCompiled(project) ? 'compile it, ' : '';
  const what = isEarlier
    ? {
        message: 'the last synthesis did not write this stack, and only the stack is checked',
        remedy:
          'synthesise with the environment variables that create this stack; if you removed it from the program, add it again without resources until `apply` is done. Then run the same command again',
      }
    : {
        message: `${printable(changed, 200)} changed after this stack was synthesised, and only the stack is checked`,
        remedy: `to check the present program, ${compile}synthesise, then run the same command again:\n${synthCommand(project)}`,
      };
  const subject = printable(dir, 200);
  return [{ code: 'STACK_OUT_OF_DATE', severity: 'decision', subject, ...what }];
}

/** The rulesets of a state that another stack of its program declares too, as after a change of a class they share. */
export async function declaredAgain({
  plan,
  planned: { name, dir },
  folder: copy,
  original: folder = copy,
}: Pick<StepContext, 'plan' | 'planned' | 'folder' | 'original'>): Promise<Finding[]> {
  const twice = zonesDeclaredTwice(plan.findings);
  const own = plan.zones.filter((one) => one.ruleset.state === name && !twice.has(one.zoneId));
  const declared = await declaredInStacks(dir, folder, (stack) => {
    // a program can have hundreds of stacks, and each of them a step
    const text = stack === join(folder, dir) ? '' : textOfFile(join(stack, 'cdk.tf.json'));
    return own.some(({ zoneId }) => text.includes(zoneId));
  });
  return own.flatMap(({ zoneId, ruleset }) => {
    // only Terraform can tell the instances of the others
    const other = declared.find((one) => one.zoneId === zoneId && one.isRepeated !== true);
    if (other === undefined) return [];
    const place = printable(other.dir ?? dir, 200);
    return {
      code: 'ENTRY_POINT_DECLARED_TWICE',
      severity: 'decision',
      subject: printable(ruleset.address, 200),
      message: `${place} declares it too, and an apply there would create or import it: declare it in one stack only`,
      remedy: `remove its construct and overrides from ${place}, and synthesise. If that stack was applied with them, ${removeFrom('its state')}`,
    };
  });
}

/** The rulesets that a folder declares; with a CDKTF stack, those of all stacks of its program. */
async function declaredInStacks(
  dir: string,
  folder: string,
  isRead: (stack: string) => boolean = () => true,
): Promise<DeclaredRulesetAddress[]> {
  const own = join(folder, dir);
  const project = isStackFolder(own) ? cdktfFolder(own) : undefined;
  const stacks =
    project === undefined ? [own] : synthesisedStacks(project).map((stack) => join(project, stack));
  const configurations = await Promise.all(
    stacks.filter(isRead).map((stack) => readConfiguration(planFolder(folder, stack), folder)),
  );
  return configurations.flatMap((one) => (one === undefined ? [] : declaredRulesets(one)));
}

type PlannedPlace = Parameters<typeof undeclaredRuleset.find>[0];

function misplaced(
  { dir, isSynthesised, zoneId, address }: PlannedPlace,
  other: DeclaredRulesetAddress,
  canPlanAgain: boolean,
): Finding {
  const found = printable(`${other.address} in ${other.dir ?? dir}`, 200);
  return {
    code: 'RULESET_MISPLACED',
    severity: 'decision',
    subject: printable(address, 200),
    message: `the plan expects the ruleset of zone ${zoneId} at this address in ${printable(dir, 200)}; ${found} declares it instead`,
    remedy: canPlanAgain
      ? 'run `plan --out plan.json`, and apply that plan: it uses the address of that block'
      : isSynthesised
        ? 'add its construct to the stack of that folder, and remove the other one; `overrideLogicalId` sets the address. Then synthesise'
        : 'declare it at that address, and remove the other block',
  };
}
