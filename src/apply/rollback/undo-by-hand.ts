import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectTarget } from '../../files/write-files';
import { type Step } from '../../plan/plan';
import { majorOf } from '../../plan/provider-versions';
import { lockedVersion } from '../../project/provider-version';
import { fileDigest } from '../../tfconfig/config-source';
import { type FileEdit } from '../../tfconfig/plan-edit';
import { type ApplyContext, stateOf } from '../apply-context';
import { leavesItsBlocks } from '../steps/edit';
import { isStateBlock, manualStep } from '../steps/manual';

/** A step that the user has to undo: `rollback` finds out what was done, and not how. */
export interface UndoByHand {
  readonly step: string;
  readonly title: string;
  /** In the imperative. */
  readonly undo: string;
  readonly addresses: readonly string[];
}

/**
 * What a rollback leaves done, by what the configuration declares and the lock file says. The states are those
 * of before the plan then: the declaration of a ruleset that one of them holds is not named.
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
  if (step.kind === 'edit') return undoOfEdit(step, context);
  const upgrade = step.kind === 'upgrade-provider' ? await undoOfUpgrade(step, context) : undefined;
  if (upgrade !== undefined) return { undo: upgrade, addresses: [] };
  const addresses = await leftDone(step, context);
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

/** A configuration that cannot be read is for the user to check. */
async function isDone(step: Step, context: ApplyContext): Promise<boolean> {
  try {
    return await manualStep.isDone(step, context);
  } catch {
    return true;
  }
}

function undoOf({ code, runs, addresses = [] }: Step): string {
  if (code !== undefined && addresses.some(isStateBlock)) {
    return 'remove these blocks and restore the constructs: the state has their resources again, and the next apply would destroy them';
  }
  return runs === undefined
    ? 'restore these blocks: the state has their resources again, and the next apply would destroy them'
    : 'remove the declaration: the state no longer has the ruleset';
}

/** What the journal names is restored by now: what is not was edited by others, or lines of the journal are lost. */
async function undoOfEdit(
  { edits = [] }: Step,
  { folder }: ApplyContext,
): Promise<Pick<UndoByHand, 'undo' | 'addresses'> | undefined> {
  const left: FileEdit[] = [];
  for (const edit of edits) {
    const now = fileDigest(inspectTarget(join(folder, edit.file)).present?.bytes);
    // a configuration that cannot be read is for the user to check
    if (now !== edit.sha256 && (await leavesItsBlocks(edit, folder).catch(() => true)))
      left.push(edit);
  }
  if (left.length === 0) return undefined;
  const files = left.map(({ file }) => file).join(', ');
  return {
    undo: `restore what the plan edits in ${files}, unless another file has it: the state is the one from before, and the journal does not record these edits`,
    addresses: left.flatMap(({ remove }) => remove.map(({ address }) => address)),
  };
}

/** What an earlier provider may take, and not as it is meant (3.35 drops `enabled` of an override, measured). */
async function undoOfUpgrade(step: Step, context: ApplyContext): Promise<string | undefined> {
  const { dir, provider } = stateOf(context, step).planned;
  const installed = await lockedVersion(join(context.folder, dir));
  if (installed === undefined || majorOf(installed) === majorOf(provider.from)) return undefined;
  const what = existsSync(join(context.folder, dir, 'cdk.tf.json'))
    ? `use the bindings of provider ${provider.from} again (package.json, or terraformProviders in cdktf.json), synthesise`
    : `set the version constraint back to ${provider.from} in ${dir}`;
  const anew = context.plan.findings.some(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER')
    ? ', restore the rulesets that you wrote for the other provider'
    : '';
  return `${what}${anew}, and run terraform init -upgrade ${dir === '.' ? 'there' : `in ${dir}`}`;
}
