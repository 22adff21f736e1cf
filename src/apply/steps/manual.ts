import { join, relative, resolve } from 'node:path';
import { type ConfigProject } from '../../tfconfig/config';
import { localAddress } from '../../tfconfig/file-edit';
import { constructPath, findBlocks, inUnreadModule } from '../../tfconfig/find-blocks';
import { parseAddress, withoutKeys } from '../../core/resource-address';
import { objectsOf, textOf } from '../../core/json';
import { posixPath } from '../../core/posix-quote';
import { readObject } from '../../files/read-files';
import { isStackFolder } from '../../project/cdktf-project';
import { canBeEntryPoint, declaredRulesets } from '../../project/declared-rulesets';
import { type Configuration, requireConfiguration } from '../../project/read-configuration';
import { isCheck, isStateBlock } from '../../plan/steps/step-kinds';
import { dataFolder } from '../../terraform/environment';
import { type StepExecutor, type StepPlace, type Undo } from '../apply-context';
import { declaredAgain } from '../undeclared-rulesets';
import { plannedAmong } from './remove';

/** A manual step, detected as done by the blocks of the configuration. */
export const manualStep: StepExecutor = {
  isDone: async (context) =>
    (await findOpen(context)).length === 0 && (await declaredAgain(context)).length === 0,
  findOpen,
  undo: undoManual,
};

/** The addresses of a manual step that the user has not added or removed yet. */
async function findOpen(place: StepPlace): Promise<readonly string[]> {
  const configuration = await requireConfiguration(place.planned.dir, place.folder);
  if (configuration === undefined) return place.step.addresses ?? [];
  const open = await openIn(configuration, place);
  // an `import` block can be there without its ruleset, and a `removed` block beside its construct
  const missing = open.flatMap((one) => {
    if (!isStateBlock(one) || !isDeclared(configuration, one)) return one;
    return one.startsWith('import ') ? targetOf(one) : [];
  });
  const isElsewhere = inUnreadModule(configuration.project);
  if (missing.length > 0 && missing.every(isElsewhere)) return createdAmong(missing, place);
  return missing.length > 0 ? missing : open;
}

/** The addresses that Terraform would create: an argument of the module's call can leave out the others. */
async function createdAmong(
  addresses: readonly string[],
  place: StepPlace,
): Promise<readonly string[]> {
  const { plan, step } = place;
  const check = plan.steps.findLast((one) => isCheck(one) && one.state === step.state);
  // Terraform cannot plan, for example before the new version of the module is installed
  const planned = await plannedAmong(addresses, check, place).catch(() => undefined);
  if (planned === undefined) return addresses;
  const created = new Set(planned.map(({ address }) => withoutKeys(address)));
  return addresses.filter((one) => created.has(one));
}

async function openIn(configuration: Configuration, place: StepPlace): Promise<readonly string[]> {
  const { addresses = [], code, runs } = place.step;
  // a step with a command adds declarations; one without removes them
  if (code === undefined && runs !== undefined) {
    const entryPoints = declaredRulesets(configuration).filter((one) => canBeEntryPoint(one));
    const declared = new Set(entryPoints.map(({ address }) => address));
    return addresses.filter((address) => !declared.has(address));
  }
  const open: string[] = [];
  for (const address of addresses)
    if (await isToDo(address, configuration, place)) open.push(address);
  return open;
}

/** Whether a block is not ready, or a block to remove may still be there. */
async function isToDo(
  address: string,
  configuration: Configuration,
  place: StepPlace,
): Promise<boolean> {
  if (isStateBlock(address)) return !isReady(configuration, address);
  if (isDeclared(configuration, address)) return true;
  return mayDeclareInstalled(configuration.project, address, place);
}

/** Checks each address of a manual step, because the user may have done a part of it. */
async function undoManual(place: StepPlace): Promise<Undo | undefined> {
  const { step, options } = place;
  // the user must check a configuration that cannot be read
  const addresses = await findMade(place).catch(() => step.addresses ?? []);
  if (addresses.length === 0) return undefined;
  const start = step.runs
    ? 'delete the files that `cf-waf-migrate generate` wrote, and undo the rest of this step'
    : 'undo this step';
  const then = isStackFolder(options.dir) ? '. Synthesise once, after all of these steps' : '';
  return { undo: `${start}${then}`, addresses };
}

/** The addresses that the user has added or removed. */
async function findMade(place: StepPlace): Promise<readonly string[]> {
  const { addresses = [], runs = [] } = place.step;
  const configuration = await requireConfiguration(place.planned.dir, place.folder);
  if (configuration === undefined) return [];
  const open = await openIn(configuration, place);
  // Terraform refuses a `removed` block of a declared resource, and an `import` of one that is not
  const isLeft = (one: string): boolean => isStateBlock(one) && isDeclared(configuration, one);
  const isGenerated = (ruleset: string): boolean => runs.some(({ argv }) => argv.includes(ruleset));
  return addresses.flatMap((one) => {
    if (!open.includes(one) || isLeft(one)) return one;
    const target = targetOf(one);
    return target !== one && isGenerated(target) && isDeclared(configuration, target) ? target : [];
  });
}

/** The address in `import <address>` or `removed <address>`, without keys. */
function targetOf(block: string): string {
  return withoutKeys(block.slice(block.indexOf(' ') + 1));
}

/** Whether Terraform accepts the block: the target of an import must be declared, and that of a removal must not. */
function isReady(configuration: Configuration, block: string): boolean {
  if (!isDeclared(configuration, block)) return false;
  return isDeclared(configuration, targetOf(block)) === block.startsWith('import ');
}

function isDeclared({ project }: Configuration, address: string): boolean {
  if (findBlocks(project, address).length > 0) return true;
  return [...project.modules.values()].some(
    ({ resources, stateBlocks }) =>
      resources.some((one) => constructPath(one) === address) ||
      stateBlocks.some(({ kind, from, to }) => `${kind} ${to ?? from ?? ''}` === address),
  );
}

/**
 * Whether a module from git or a registry may still declare a resource. Searches the installed files, and
 * returns true if there are none.
 * @param address as in the state, without keys
 */
async function mayDeclareInstalled(
  project: ConfigProject,
  address: string,
  place: StepPlace,
): Promise<boolean> {
  if (!inUnreadModule(project)(address)) return false;
  const names = parseAddress(address)
    .module.split('.')
    .filter((_, at) => at % 2 === 1);
  const dir = installedDir(names.join('.'), place);
  const module = dir === undefined ? undefined : await requireConfiguration(dir, place.folder);
  return module === undefined || findBlocks(module.project, localAddress(address)).length > 0;
}

/** Returns the folder of an installed module, relative to that of the plan. */
function installedDir(key: string, { folder, options }: StepPlace): string | undefined {
  const { dir, environment } = options;
  const path = join(dataFolder(dir, environment), 'modules', 'modules.json');
  const module = objectsOf(readObject(path)?.['Modules']).find(({ Key }) => Key === key);
  return module && posixPath(relative(folder, resolve(dir, textOf(module['Dir']))));
}
