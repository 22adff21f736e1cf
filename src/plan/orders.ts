import { type FileEdit, planEdit, planNewFile } from '../tfconfig/plan-edit';
import { forgottenAddresses } from '../tfconfig/find-blocks';
import { renderHclBlocks, renderOverrides, type StateBlocks } from '../tfconfig/state-blocks';
import { withoutKeys, parseAddress } from '../core/resource-address';
import { type StepDraft } from './plan';
import { type Configuration } from '../project/read-configuration';
import {
  backup,
  checkAll,
  checkRulesets,
  declareRulesets,
  deleteBlocks,
  generateRuns,
  importRulesets,
  type OrderInput,
  remove,
  SAVED_PLAN,
  terraform,
  upgradeProvider,
} from './steps';

/** The steps of one state, in an order. */
export type Order = (input: OrderInput) => StepDraft[];

/** Import first: needs an installed provider 3.35 and no old data source (spec: "Infrastructure-as-code"). */
export function commands(input: OrderInput): StepDraft[] {
  return [
    ...backup(input),
    ...declareRulesets(input),
    ...importRulesets(input),
    ...checkRulesets(input, input.imports),
    ...remove(input),
    ...deleteBlocks(input),
    ...(input.staying === undefined ? [checkAll(input)] : lastOfStaying(input, input.staying)),
  ];
}

/** Where nothing has left, the check behind the import was the last. */
function lastOfStaying(input: OrderInput, rulesets: readonly { address: string }[]): StepDraft[] {
  return input.leaving.length === 0 ? [] : checkRulesets(input, rulesets);
}

/**
 * Remove first: works with every provider, with a state that no longer plans, and with one that holds
 * nothing old: the first half of *two states*, or one that the old resources have left before.
 */
export function commandsRemovingFirst(input: OrderInput): StepDraft[] {
  return [
    ...backup(input),
    ...remove(input),
    ...deleteBlocks(input),
    ...inTurn(input),
    ...importRulesets(input),
    ...(input.staying ? checkRulesets(input, input.imports) : [checkAll(input)]),
  ];
}

/** A program compiles with the bindings of one provider: what is declared for the next one waits for its own. */
function inTurn(input: OrderInput): readonly StepDraft[] {
  const declared = declareRulesets(input);
  const upgraded = upgradeProvider(input);
  return input.isSynthesised ? [...upgraded, ...declared] : [...declared, ...upgraded];
}

/**
 * One edit and one saved plan: `import` takes the ruleset in, `removed` lets the old resources go,
 * with no request to the old interfaces (provider 3.35 and Terraform 1.11.4, measured; before 1.9.3 it reads what
 * leaves first). What a pull request holds.
 */
export function blocks(input: OrderInput): StepDraft[] {
  const { dir, configuration, leaving, imports, removal } = input;
  const resources = leaving.filter((address) => parseAddress(address).mode === 'managed');
  const stateBlocks = {
    imports: imports.map(({ address, importId }) => ({ to: address, id: importId })),
    // the state of another environment, which has the same files, may hold them
    removed: [...resources, ...(removal?.going ?? [])],
  };
  const written = configuration && stateBlocksEdit(dir, configuration, stateBlocks);
  const declarations = imports.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  return [
    ...backup(input),
    ...(input.isSynthesised
      ? changeStack(input, stateBlocks)
      : changeFiles([
          // first: until the others follow, Terraform refuses to plan; after them, it would destroy
          ...(written === undefined ? [] : [written]),
          ...declarations,
          ...(removal?.edits ?? []),
        ])),
    {
      kind: 'apply-blocks',
      title: 'Plan, check that the plan only imports and forgets, and apply exactly that plan',
      why: 'nothing but the saved plan is applied, and none that creates, changes or destroys',
      runs: [
        { argv: terraform(input, 'plan', '-input=false', `-out=${SAVED_PLAN}`) },
        { argv: terraform(input, 'show', '-json', SAVED_PLAN) },
        { argv: terraform(input, 'apply', '-input=false', SAVED_PLAN) },
      ],
      addresses: resources,
      expects: {
        gone: leaving,
        present: imports.map(({ address }) => address),
        plan: 'import-and-forget',
      },
    },
    checkAll(input),
  ];
}

/** Nothing where the blocks stand already, as another plan or a person wrote them. */
function changeFiles(edits: readonly FileEdit[]): StepDraft[] {
  if (edits.length === 0) return [];
  return [
    {
      kind: 'edit',
      title: 'Replace the old blocks by the ruleset, with import and removed blocks',
      why: 'one change that can be reviewed, and that Terraform carries out in one run',
      edits,
    },
  ];
}

/**
 * The same change in a CDKTF stack, which is a person's program: recognised by what it synthesises. One
 * step, since nothing in between is safe: with the constructs gone and no `removed`, a plan destroys.
 */
function changeStack(input: OrderInput, blocks: StateBlocks): StepDraft[] {
  const runs = generateRuns(input);
  return [
    {
      kind: 'manual',
      title: 'Replace the old constructs by the ruleset and these overrides, and synthesise once',
      why: 'one change: with the old constructs gone and no removed blocks, a plan destroys what they made; with both, Terraform refuses to plan. The command writes the ruleset as a construct, and prints the line that puts it into the stack',
      addresses: [
        ...(input.removal?.manual ?? []),
        ...blocks.imports.map(({ to }) => `import ${to}`),
        ...new Set(blocks.removed.map((address) => `removed ${withoutKeys(address)}`)),
      ],
      ...(runs.length === 0 ? {} : { runs }),
      code: renderOverrides(blocks, input.configuration?.project),
    },
  ];
}

/**
 * The edit that writes the `import` and `removed` blocks, but those that stand somewhere already, to a
 * file of their own: the first of its name that holds nothing else. Undefined where all stand.
 */
function stateBlocksEdit(
  dir: string,
  { project }: Configuration,
  blocks: StateBlocks,
): FileEdit | undefined {
  const { files, stateBlocks } = project.rootModule;
  const whole = renderHclBlocks(blocks);
  const made = files.find(({ text }) => text === whole);
  // the edit of a plan before: known as done
  if (made !== undefined) return planNewFile(made.path, whole);
  const forgotten = new Set(forgottenAddresses(project));
  const imported = new Set(stateBlocks.filter(({ kind }) => kind === 'import').map(({ to }) => to));
  const missing = {
    imports: blocks.imports.filter(({ to }) => !imported.has(to)),
    removed: blocks.removed.filter((address) => !forgotten.has(withoutKeys(address))),
  };
  const text = renderHclBlocks(missing);
  if (text === '') return undefined;
  for (let number = 1; ; number += 1) {
    const name = `cf-waf-migrate${number === 1 ? '' : `-${number}`}.tf`;
    const path = dir === '.' ? name : `${dir}/${name}`;
    const file = files.find((one) => one.path === path);
    if (file === undefined) return planNewFile(path, text);
    if (file.blocks.length === 0) return planEdit(file, [], text);
  }
}
