import { join } from 'node:path';
import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { planFolder } from '../files/paths';
import { textOfFile } from '../files/read-files';
import { isUndeclared } from '../plan/facts/plan-removal';
import { BLOCK_LAST, undeclaredRuleset } from '../plan/findings/state-ruleset-findings';
import {
  cdktfFolder,
  changedAfterSynthesis,
  isStackFolder,
  synthCommand,
  synthesisedStacks,
} from '../project/cdktf-project';
import { declaredRulesets } from '../project/declared-rulesets';
import { readConfiguration, requireConfiguration } from '../project/read-configuration';
import { type ApplyContext, type StepContext } from './apply-context';
import { zonesDeclaredTwice } from './live-state';

/**
 * The rulesets of a plan that a state has, and no block declares, because the user changes the files at a manual step: an
 * apply would destroy them.
 */
export async function undeclaredRulesets({
  plan,
  folder,
  live,
}: Pick<ApplyContext, 'plan' | 'folder' | 'live'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, dir } of plan.states) {
    // a step says what is wrong with the files
    const configuration = await requireConfiguration(dir, folder).catch(() => undefined);
    const isSynthesised = isStackFolder(join(folder, dir));
    for (const { zoneId, ruleset } of plan.zones) {
      const { state, address } = ruleset;
      const isLive = state === name && live.get(name)?.addresses.has(address) === true;
      if (isLive && isUndeclared(address, configuration)) {
        findings.push(...undeclaredRuleset.find({ dir, isSynthesised, zoneId, address }));
      }
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
  return [
    {
      code: 'STACK_OUT_OF_DATE',
      severity: 'decision',
      subject: printable(dir, 200),
      message: `${printable(changed, 200)} changed after this stack was synthesised, and only the stack is checked`,
      remedy: `to check the present program, synthesise, then run the same command again:\n${synthCommand(project)}`,
    },
  ];
}

/** The rulesets of a state that another stack of its program declares too, as after a change of a class they share. */
export async function declaredAgain({
  plan,
  planned: { name, dir },
  folder: copy,
  original: folder = copy,
}: Pick<StepContext, 'plan' | 'planned' | 'folder' | 'original'>): Promise<Finding[]> {
  const stack = join(folder, dir);
  const project = isStackFolder(stack) ? cdktfFolder(stack) : undefined;
  if (project === undefined) return [];
  const twice = zonesDeclaredTwice(plan.findings);
  const own = plan.zones.filter((one) => one.ruleset.state === name && !twice.has(one.zoneId));
  const others = synthesisedStacks(project)
    .map((one) => join(project, one))
    .filter((other) => {
      // a program can have hundreds of stacks, and each of them a step
      const text = other === stack ? '' : textOfFile(join(other, 'cdk.tf.json'));
      return own.some(({ zoneId }) => text.includes(zoneId));
    });
  const configurations = await Promise.all(
    others.map((other) => readConfiguration(planFolder(folder, other), folder)),
  );
  const declared = configurations.flatMap((one) =>
    one === undefined ? [] : declaredRulesets(one),
  );
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
      remedy: `remove its construct and overrides from ${place}, and synthesise. If that stack was applied with them, first remove the ruleset from its state with \`terraform state rm <address>\`, ${BLOCK_LAST}`,
    };
  });
}
