import { providerMajors } from '../../core/provider-majors';
import { BINDINGS, versionOverride } from '../../project/cdktf-project';
import { declaredRulesets, isOfOtherProvider } from '../../project/declared-rulesets';
import { findLegacyWafType } from '../../tfstate/legacy-waf-types';
import { type StepFacts } from '../facts/facts';
import { majorOf } from '../facts/provider-versions';

/** What to change in the stacks of a program for the bindings of another provider, as numbered sentences. */
export function bindingTasks(
  version: string,
  { configuration }: Pick<StepFacts, 'configuration'>,
): string {
  const major = majorOf(version);
  const { bindings, cdktf } = providerMajors[major];
  const blocks = configuration?.project.rootModule.files.flatMap((file) => file.blocks) ?? [];
  const hasOthers = blocks.some(
    ({ type, labels: [label = ''] }) =>
      ['resource', 'output', 'module'].includes(type) && !findLegacyWafType('managed', label),
  );
  const rulesets = configuration === undefined ? [] : declaredRulesets(configuration);
  const tasks = [
    'Remove the legacy constructs and their imports: the bindings have no classes for them',
    `With bindings from npm, run \`npm install cdktf@0.${cdktf} ${BINDINGS}@${bindings}\`, and add ${versionOverride(version)} to each stack`,
    rulesets.some((one) => isOfOtherProvider(one, major)) &&
      'Generate the constructs again that are written for another provider version (a decision of the plan)',
    hasOthers &&
      cdktf >= 21 &&
      'cdktf 0.21 names resources without their stack: if cdktf.json has no excludeStackIdFromLogicalIds, keep their names with overrideLogicalId',
  ].filter((task) => task !== false);
  return tasks.map((task, at) => `${at + 1}. ${task}`).join('. ');
}
