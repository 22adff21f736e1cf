import { acceptFlag } from '../../core/posix-quote';
import { type BlockRemoval, type Facts } from '../facts/facts';
import { isOutside, placeOf } from '../facts/plan-removal';
import { type Detail, finding, type Rule, some } from './rule';

/** Findings about the blocks that the plan removes from the files. */
export const ofBlocks: readonly Rule<Facts>[] = [
  // the plan cannot see what reads an output from outside, such as `terraform_remote_state`
  finding(
    'OUTPUTS_REMOVED',
    'decision',
    'Outputs are removed with the blocks they refer to',
    ({ removal }) =>
      some(removal?.outputs ?? [], (outputs) => ({
        subject: outputs.join(', '),
        message: 'nothing in this configuration reads these outputs',
        remedy:
          'check that no other configuration, script or pipeline reads them, then pass --accept OUTPUTS_REMOVED',
      })),
  ),
  finding(
    'BLOCK_REFERENCED',
    'decision',
    'Something refers to a legacy block',
    ({ removal, configuration }) => {
      const root = configuration?.project.rootModule.files ?? [];
      return (removal?.references ?? []).map(({ file, line, from, address, text }) => {
        // the state has only the outputs of the root module
        const isOutput = from.startsWith('output.') && root.some(({ path }) => path === file);
        return {
          subject: `${file}:${line}`,
          message: `${from} refers to ${address} (${text}), so the plan does not edit the block`,
          remedy: `change or delete the reference, then plan again, or remove the block in the manual step${
            isOutput
              ? `; with method blocks, Terraform plans to change the output: pass ${acceptFlag(from)} to rehearse, apply and verify`
              : ''
          }`,
        };
      });
    },
  ),
  finding(
    'BLOCK_SHARED',
    'decision',
    'A legacy block declares other resources too',
    ({ removal }) =>
      each(removal?.shared, {
        message: 'this block declares resources that stay: of other zones, or in another state',
        remedy:
          'remove the migrated zone from its count, for_each or module call, or migrate all its zones together',
        places: removal?.places,
      }),
  ),
  finding(
    'MODULE_NOT_EDITED',
    'decision',
    'A legacy block is in a module that cannot be edited',
    ({ removal }) =>
      each(removal?.inModules, {
        message: 'the files of the module are not part of this configuration',
        remedy: 'use a version of the module without the legacy resources, or delete the call',
        places: removal?.places,
      }),
  ),
  finding(
    'BLOCK_ALREADY_GONE',
    'decision',
    'An apply now would destroy a legacy resource',
    ({ removal }) =>
      each(removal?.gone, {
        message: 'the configuration no longer declares it, and the state still has it',
        remedy:
          'apply nothing in this folder before the steps of this plan have removed it from the state',
      }),
  ),
];

/** The plan does not know which other configurations call a module. */
export const blockOfSeveralStates: Rule<readonly Facts[]> = finding(
  'BLOCK_OF_SEVERAL_STATES',
  'decision',
  'Other configurations may share a legacy block',
  (all) =>
    all.flatMap((facts) =>
      [...filesOf(facts)].flatMap((file) => {
        const origin = sharedSource(facts, file);
        const isPlannedTwice = all.some((one) => one !== facts && filesOf(one).has(file));
        if (origin === undefined || isPlannedTwice) return [];
        return {
          subject: file,
          message: `${origin}, and other configurations may call its module. When its blocks are removed, an apply there would destroy the resources in their states`,
          remedy:
            'if other configurations call it, plan their states together with this one (--dir for each), and apply nothing there before',
        };
      }),
    ),
);

/** The same of each address, with the place of its block or of the call of its module, if known. */
function each(
  addresses: readonly string[] = [],
  {
    message,
    remedy,
    places = {},
  }: Omit<Detail, 'subject'> & { readonly places?: BlockRemoval['places'] },
): Detail[] {
  return addresses.map((subject) => {
    const place = places[subject];
    return { subject, message: place === undefined ? message : `${place}: ${message}`, remedy };
  });
}

/** The files from which the steps of a state remove blocks, or the user does. */
function filesOf({ isIdle, removal }: Facts): ReadonlySet<string> {
  return isIdle ? new Set() : (removal?.files ?? new Set());
}

/** Whether two states remove blocks from the same file. */
export function shareFiles(one: Facts, other: Facts): boolean {
  return [...filesOf(one)].some((file) => filesOf(other).has(file));
}

/** Where a file comes from that is not only of this state. Undefined for any other file. */
function sharedSource(facts: Facts, file: string): string | undefined {
  const { configuration, isSynthesised, state } = facts;
  if (configuration === undefined) return undefined;
  const { root, rootModule } = configuration.project;
  if (isOutside(placeOf(configuration, root), file)) {
    return `the file is outside the folder of state ${state.name}`;
  }
  const isOwn = rootModule.files.some(({ path }) => placeOf(configuration, path) === file);
  return isSynthesised && !isOwn ? 'CDKTF copies the file from a module' : undefined;
}
