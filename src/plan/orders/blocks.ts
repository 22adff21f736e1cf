import { type FileEdit } from '../../blocks/plan-edit';
import { renderOverrides, type StateBlocks } from '../../blocks/render-blocks';
import { withoutKeys } from '../../blocks/resource-address';
import { parseAddress } from '../../state/address';
import { type StepDraft } from '../plan';
import { backup, checkAll, generateRuns } from './draft-steps';
import { type OrderInput } from './order';
import { stateBlocksEdit } from './state-blocks-edit';
import { SAVED_PLAN, terraform } from './terraform-argv';

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
