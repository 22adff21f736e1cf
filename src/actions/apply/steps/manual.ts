import { findBlocks } from '../../../blocks/find-blocks';
import { constructPath } from '../../../blocks/generated-blocks';
import { withoutKeys } from '../../../blocks/resource-address';
import { type Configuration } from '../../../plan/planned-state';
import { declaredRulesets, readConfiguration } from '../../read-configuration';
import { stateOf } from '../apply-context';
import { mayDeclareInstalled } from '../installed-module';
import { type StepExecutor } from '../step-executor';

/** `manual`: a person's, recognised as done by what the configuration then declares. */
export const manualStep: StepExecutor = {
  async isDone(step, context) {
    const { dir } = stateOf(context, step).planned;
    const configuration = await readConfiguration(dir, context.folder);
    if (configuration === undefined) return false;
    const addresses = step.addresses ?? [];
    // a step with a command declares what it names; one without takes it out
    if (step.code === undefined && step.runs !== undefined) {
      const declared = new Set(declaredRulesets(configuration).map(({ address }) => address));
      return addresses.every((address) => declared.has(address));
    }
    const entering = step.code === undefined ? [] : addresses.filter(isStateBlock);
    if (!entering.every((block) => isReady(configuration, block))) return false;
    const leaving = addresses.filter((address) => !entering.includes(address));
    if (leaving.some((address) => isDeclared(configuration, address))) return false;
    const { folder, terraform } = context;
    const place = { dir, folder, environment: terraform.environment };
    for (const address of leaving) {
      if (await mayDeclareInstalled(configuration.project, address, place)) return false;
    }
    return true;
  },
};

/** `import <address>` or `removed <address>`, as a plan names such a block. */
export function isStateBlock(address: string): boolean {
  return /^(import|removed) /.test(address);
}

/** Whether Terraform takes the block: what it imports has to be declared, and what it forgets must not be. */
function isReady(configuration: Configuration, block: string): boolean {
  if (!isDeclared(configuration, block)) return false;
  const target = withoutKeys(block.slice(block.indexOf(' ') + 1));
  return isDeclared(configuration, target) === block.startsWith('import ');
}

function isDeclared({ project }: Configuration, address: string): boolean {
  if (findBlocks(project, address).length > 0) return true;
  return [...project.modules.values()].some(
    ({ resources, stateBlocks }) =>
      resources.some((one) => constructPath(one) === address) ||
      stateBlocks.some(({ kind, from, to }) => `${kind} ${to ?? from ?? ''}` === address),
  );
}
