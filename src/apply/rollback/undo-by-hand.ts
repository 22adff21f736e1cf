import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectTarget } from '../../files/write-files';
import { type Step } from '../../plan/plan';
import { majorOf } from '../../plan/facts/provider-versions';
import { lockedVersion } from '../../project/provider-version';
import { fileDigest } from '../../tfconfig/config-source';
import { type FileEdit } from '../../tfconfig/plan-edit';
import { type ApplyContext, stateOf } from '../apply-context';
import { leavesItsBlocks } from '../steps/edit';
import { isStateBlock, manualStep } from '../steps/manual';

/** A step that the user must undo. */
export interface UndoByHand {
  readonly step: string;
  readonly title: string;
  /** A sentence in the imperative. */
  readonly undo: string;
  readonly addresses: readonly string[];
}

/**
 * Finds steps that are still done after a rollback, by the configuration and the lock file. Omits declarations
 * of rulesets that an earlier state already had.
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

/** Returns what one step leaves done; undefined if nothing. */
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

/** Returns the addresses of a manual step that are still done, each checked separately. */
async function leftDone(step: Step, context: ApplyContext): Promise<string[]> {
  const { kind, addresses = [] } = step;
  if (kind !== 'manual') return [];
  const done: string[] = [];
  for (const address of addresses) {
    if (await isDone({ ...step, addresses: [address] }, context)) done.push(address);
  }
  return done;
}

/** Reports an unreadable configuration as done, so that the user checks it. */
async function isDone(step: Step, context: ApplyContext): Promise<boolean> {
  try {
    return await manualStep.isDone(step, context);
  } catch {
    return true;
  }
}

function undoOf({ runs, addresses = [] }: Step): string {
  if (addresses.some(isStateBlock)) {
    return 'remove these blocks and restore the constructs: the state has their resources again, and the next apply would destroy them';
  }
  return runs === undefined
    ? 'restore these blocks: the state has their resources again, and the next apply would destroy them'
    : 'remove the declaration: the state no longer has the ruleset';
}

/** Checks files that the rollback did not restore: others edited them, or the journal lost lines. */
async function undoOfEdit(
  { edits = [] }: Step,
  { folder }: ApplyContext,
): Promise<Pick<UndoByHand, 'undo' | 'addresses'> | undefined> {
  const left: FileEdit[] = [];
  for (const edit of edits) {
    const now = fileDigest(inspectTarget(join(folder, edit.file)).present?.bytes);
    // the user must check a configuration that cannot be read
    if (now !== edit.sha256 && (await leavesItsBlocks(edit, folder).catch(() => true)))
      left.push(edit);
  }
  if (left.length === 0) return undefined;
  const files = left.map(({ file }) => file).join(', ');
  return {
    undo: `restore the blocks that the plan edits in ${files}, unless another file has them: the state has their resources again, and the journal does not record these edits`,
    addresses: left.flatMap(({ remove }) => remove.map(({ address }) => address)),
  };
}

/** Earlier providers may accept the rulesets with another meaning (3.35 drops `enabled` of an override, measured). */
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
