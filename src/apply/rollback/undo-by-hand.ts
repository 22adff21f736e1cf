import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectTarget } from '../../files/write-files';
import { majorOf } from '../../plan/facts/provider-versions';
import { type Step, type StepKind } from '../../plan/plan';
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

type Context = Pick<ApplyContext, 'plan' | 'folder' | 'terraform' | 'live'>;
type Undo = Pick<UndoByHand, 'undo' | 'addresses'>;

/** How to undo the steps that a rollback can leave done; undefined for a step that is not done. */
const undoOf: Partial<
  Record<StepKind, (step: Step, context: Context) => Promise<Undo | undefined>>
> = { edit: undoEdit, manual: undoManual, 'upgrade-provider': undoUpgrade };

/**
 * Finds steps that are still done after a rollback, by the configuration and the lock file. Omits declarations
 * of rulesets that an earlier state already had.
 */
export async function undoByHand(context: Context): Promise<UndoByHand[]> {
  const found: UndoByHand[] = [];
  for (const step of context.plan.steps) {
    const left = await undoOf[step.kind]?.(step, context);
    if (left !== undefined) found.push({ step: step.id, title: step.title, ...left });
  }
  return found;
}

/** Checks files that the rollback did not restore: others edited them, or the journal lost lines. */
async function undoEdit({ edits = [] }: Step, { folder }: Context): Promise<Undo | undefined> {
  const left: FileEdit[] = [];
  for (const edit of edits) {
    const now = fileDigest(inspectTarget(join(folder, edit.file)).present?.bytes);
    // the user must check a configuration that cannot be read
    const isLeft = now !== edit.sha256 && (await leavesItsBlocks(edit, folder).catch(() => true));
    if (isLeft) left.push(edit);
  }
  if (left.length === 0) return undefined;
  const files = left.map(({ file }) => file).join(', ');
  return {
    undo: `restore the blocks that the plan edits in ${files}, unless another file has them: the state has their resources again, and the journal does not record these edits`,
    addresses: left.flatMap(({ remove }) => remove.map(({ address }) => address)),
  };
}

/** Checks each address of a manual step, because the user may have done a part of it. */
async function undoManual(step: Step, context: Context): Promise<Undo | undefined> {
  const addresses: string[] = [];
  for (const address of step.addresses ?? []) {
    const isDone = manualStep.isDone({ ...step, addresses: [address] }, context);
    // the user must check a configuration that cannot be read
    if (await isDone.catch(() => true)) addresses.push(address);
  }
  if (addresses.length === 0) return undefined;
  const [what, synthesise] = isStack(step, context)
    ? ['constructs', ', and synthesise']
    : ['blocks', ''];
  const why = 'the state has their resources again, and the next apply would destroy them';
  const undo = step.addresses?.some(isStateBlock)
    ? `remove these blocks and restore the constructs${synthesise}: ${why}`
    : step.runs === undefined
      ? `restore these ${what}${synthesise}: ${why}`
      : `remove the declaration${synthesise}: the state no longer has the ruleset`;
  return { undo, addresses };
}

/** Whether CDKTF generates the folder of a step. */
function isStack(step: Step, context: Context): boolean {
  return existsSync(join(context.folder, stateOf(context, step).planned.dir, 'cdk.tf.json'));
}

/** Earlier providers may accept the rulesets with another meaning (3.35 drops `enabled` of an override, measured). */
async function undoUpgrade(step: Step, context: Context): Promise<Undo | undefined> {
  const { dir, provider } = stateOf(context, step).planned;
  const installed = await lockedVersion(join(context.folder, dir));
  if (installed === undefined || majorOf(installed) === majorOf(provider.from)) return undefined;
  const what = isStack(step, context)
    ? `use the bindings of provider ${provider.from} again (package.json, or terraformProviders in cdktf.json), synthesise`
    : `set the version constraint back to ${provider.from} in ${dir}`;
  const anew = context.plan.findings.some(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER')
    ? ', restore the rulesets that you wrote for the other provider'
    : '';
  const where = dir === '.' ? 'there' : `in ${dir}`;
  return { undo: `${what}${anew}, and run terraform init -upgrade ${where}`, addresses: [] };
}
