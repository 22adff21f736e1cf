import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Step } from '../../plan/plan';
import { majorOf } from '../../plan/provider-version';
import { isMade } from '../apply-edits';
import { lockedVersion } from '../locked-version';
import { type ApplyContext, stateOf } from '../apply/apply-context';
import { isStateBlock, manualStep } from '../apply/steps/manual';
import { undeclaredAgain } from './undeclared-again';

/** A step that a person has to take back: `rollback` knows what they did, and not how. */
export interface UndoByHand {
  readonly step: string;
  readonly title: string;
  /** In the imperative. */
  readonly undo: string;
  readonly addresses: readonly string[];
}

/**
 * What a rollback leaves done, by what the configuration declares and the lock file says. The states are those
 * of before the plan then: nobody is told to take a ruleset out that one of them holds.
 */
export async function undoByHand(
  request: Pick<ApplyContext, 'plan' | 'folder' | 'terraform' | 'journal' | 'live'>,
): Promise<UndoByHand[]> {
  const context: ApplyContext = {
    ...request,
    report: () => undefined,
    fault: () => undefined,
    accept: [],
    accepted: [],
  };
  const found: UndoByHand[] = [];
  for (const step of request.plan.steps) {
    const { id, title } = step;
    const left = await leftBy(step, context);
    if (left !== undefined) found.push({ step: id, title, ...left });
  }
  return found;
}

/** What one step leaves done; undefined where it is nothing. */
async function leftBy(
  step: Step,
  context: ApplyContext,
): Promise<Pick<UndoByHand, 'undo' | 'addresses'> | undefined> {
  const whole =
    step.kind === 'upgrade-provider'
      ? await undoOfUpgrade(step, context)
      : step.kind === 'edit'
        ? undoOfEdit(step, context)
        : undefined;
  if (whole !== undefined) return { undo: whole, addresses: [] };
  const addresses =
    step.kind === 'edit' ? await undeclaredAgain(step, context) : await leftDone(step, context);
  return addresses.length > 0 ? { undo: undoOf(step), addresses } : undefined;
}

/** The addresses of a manual step, each of which may be done and another not. */
async function leftDone(step: Step, context: ApplyContext): Promise<string[]> {
  const { kind, code, addresses = [] } = step;
  // that no block of a step before is there any more is how it should be
  const isCleanUp = code === undefined && addresses.some(isStateBlock);
  if (kind !== 'manual' || isCleanUp) return [];
  const done: string[] = [];
  for (const address of addresses) {
    if (await isDone({ ...step, addresses: [address] }, context)) done.push(address);
  }
  return done;
}

/** A configuration that cannot be read is a person's to look at. */
async function isDone(step: Step, context: ApplyContext): Promise<boolean> {
  try {
    return await manualStep.isDone(step, context);
  } catch {
    return true;
  }
}

function undoOf({ code, runs, addresses = [] }: Step): string {
  if (code !== undefined && addresses.some(isStateBlock)) {
    return 'take these blocks out again, and put the constructs back: the state holds their resources again, and without them the next apply destroys these';
  }
  return runs === undefined
    ? 'put these blocks back: the state holds their resources again, and without them the next apply destroys these'
    : 'take the declaration out again: the state no longer has it';
}

/** What the journal knows is put back by now: what is not was edited by somebody else, or lines were lost. */
function undoOfEdit({ edits = [] }: Step, { folder }: ApplyContext): string | undefined {
  const files = edits.filter((edit) => isMade(edit, folder)).map(({ file }) => file);
  if (files.length === 0) return undefined;
  return `put back what the plan edits in ${files.join(', ')}: the journal does not say that apply has edited it`;
}

/** What an earlier provider may take, and not as it is meant (3.35 drops `enabled` of an override, measured). */
async function undoOfUpgrade(step: Step, context: ApplyContext): Promise<string | undefined> {
  const { dir, provider } = stateOf(context, step).planned;
  const installed = await lockedVersion(join(context.folder, dir));
  if (installed === undefined || majorOf(installed) === majorOf(provider.from)) return undefined;
  const what = existsSync(join(context.folder, dir, 'cdk.tf.json'))
    ? `use bindings of provider ${provider.from} again (package.json, or terraformProviders of cdktf.json), synthesise`
    : `set the version constraint back to ${provider.from} in ${dir}`;
  const anew = context.plan.findings.some(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER')
    ? ', put the rulesets back that you have written anew for another provider'
    : '';
  return `${what}${anew}, and run terraform init -upgrade ${dir === '.' ? 'there' : `in ${dir}`}`;
}
