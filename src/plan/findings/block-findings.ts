import { posix } from 'node:path';
import { groupBy, listed } from '../../core/lists';
import { partsBefore, withoutKeys } from '../../core/resource-address';
import { type Facts, type StateFacts } from '../facts/facts';
import { isOutside, realPathOf } from '../facts/plan-removal';
import { canDestroy, knowsLegacyWaf } from '../facts/provider-versions';
import { placedAddresses } from '../formats/render-command';
import { namedBlock, type ResourceBlock } from '../../tfconfig/config';
import { findBlocks } from '../../tfconfig/find-blocks';
import { startsOf } from '../../tfconfig/state-blocks';
import { finding, oneFinding, type Rule } from './rule';

/** A block whose resource has another name in the state. */
export const movePending = finding<Pick<Facts, 'state' | 'method' | 'to' | 'isIdle'>>(
  'MOVE_PENDING',
  'blocker',
  'A moved block is not applied yet',
  ({ state, method, to, isIdle }) => {
    const renamed = renamedBlocks(state);
    // a new provider version can need `moved` blocks for its new types
    const mayWait = method === 'blocks' || !knowsLegacyWaf(to);
    const moves = mayWait ? renamed : state.pendingMoves;
    return oneFinding(isIdle ? [] : moves, (addresses) => ({
      subject: state.name,
      message: `the configuration has another name than the state for ${addresses.join(', ')}`,
      remedy:
        renamed.length > 0
          ? 'rename it in the state with `terraform state mv`, then plan again; or undo the rename: delete the moved block, and give the block or module call the name in the state'
          : 'rename it in the state with `terraform state mv`, because terraform import does not apply moves and would empty the outputs that depend on them; or plan with --method blocks',
    }));
  },
);

const NARROW_MODULE_CALL =
  'Remove a module call only if the module has no other resources, which Terraform would destroy; otherwise give its blocks a count, and rename those that stay with `terraform state mv`';

/** What to check before zones are removed from the module calls of these resources; nothing for the root module. */
export const noteOnCalls = (addresses: readonly string[]): string =>
  addresses.some((address) => address.startsWith('module.')) ? `. ${NARROW_MODULE_CALL}` : '';

/** What `moved` blocks rename of the legacy resources: under the new name, the state has none of them. */
export function renamedBlocks({ legacyResources, pendingMoves }: StateFacts): string[] {
  const own = new Set(legacyResources.flatMap(({ address }) => partsBefore(withoutKeys(address))));
  return pendingMoves.filter((address) => own.has(address));
}

export const ofBlocks: readonly Rule<Facts>[] = [
  // the plan cannot see what reads an output from outside, such as `terraform_remote_state`
  finding(
    'OUTPUTS_REMOVED',
    'decision',
    'Outputs are removed with the blocks they refer to',
    ({ removal }) =>
      oneFinding(removal?.outputs ?? [], (outputs) => ({
        subject: outputs.join(', '),
        message: 'nothing in this configuration reads these outputs',
        remedy:
          'check that no other configuration, caller of their module, script or pipeline reads them',
      })),
  ),
  finding(
    'BLOCK_REFERENCED',
    'blocker',
    'Something refers to a legacy block that is gone',
    ({ removal }) =>
      (removal?.broken ?? []).map(({ file, line, from, address, text }) => ({
        subject: `${file}:${line}`,
        message: `${from} refers to ${address} (${text}), which no block declares: Terraform refuses the configuration`,
        remedy: 'delete the reference, then plan again',
      })),
  ),
  finding(
    'BLOCK_REFERENCED',
    'decision',
    'Something refers to a legacy block',
    ({ removal, isSynthesised }) =>
      (removal?.references ?? []).map(({ file, line, from, address, text }) => ({
        subject: `${file}:${line}`,
        message: `${from} refers to ${address}${text === address ? '' : ` (${text})`}${isSynthesised ? '' : ', so the plan does not edit the block'}`,
        remedy: isSynthesised
          ? 'change or delete the reference when you remove the construct in the manual step'
          : 'replace the reference with its value, or delete it, then plan again; or accept this, delete the block and the reference at the manual step, then run `apply` again',
      })),
  ),
  finding('BLOCK_SHARED', 'blocker', 'Resources that stay would get another index', (facts) =>
    oneFinding(renumbered(facts), (addresses) => ({
      subject: facts.state.name,
      message: `they come after the planned zones in a count: without those, they get another index, and Terraform would destroy resources: ${addresses.join(', ')}`,
      remedy:
        'wait until all zones of these blocks have migrated, and plan them together. Or change count to for_each in these blocks, rename their resources with `terraform state mv`, and plan again',
    })),
  ),
  finding('BLOCK_SHARED', 'decision', 'A legacy block declares other resources too', (facts) =>
    oneFinding(renumbered(facts).length > 0 ? [] : placed(facts, 'shared'), (blocks) => ({
      subject: facts.state.name,
      message: `these blocks declare resources that stay, of other zones or in another state: ${blocks.join(', ')}`,
      remedy: `if a zone of these blocks has to wait, accept this: \`apply\` stops at its last check. Only then remove the migrated zones from the count or for_each of the blocks, or of the call of their module, and run \`apply\` again${noteOnCalls(blocks)}. If no zone has to wait, plan all zones of these blocks together, once they all have migrated`,
      ...planOfAll(facts),
    })),
  ),
  finding(
    'LEGACY_BLOCKS_DECLARED',
    'blocker',
    'Terraform would create legacy resources of migrated zones',
    (facts) =>
      oneFinding(facts.isIdle ? blocksOfMigrated(facts) : [], (blocks) => ({
        subject: facts.state.name,
        message: `these blocks also declare zones whose legacy resources are no longer in the state, so Terraform would create them again: ${listed(blocks.map(({ block }) => namedBlock(block)))}`,
        remedy: `remove the migrated zones from the count or for_each of these blocks, or of the calls of their module, then plan again. ${NARROW_MODULE_CALL}`,
      })),
  ),
  movePending,
  finding(
    'BLOCK_STILL_DECLARED',
    'blocker',
    'A removed block names a resource that is still declared',
    ({ state, configuration, isIdle, method }) =>
      // method blocks removes the resource's block with the same apply
      oneFinding(
        isIdle || method === 'blocks' ? [] : removedTooEarly(configuration),
        (addresses) => ({
          subject: state.name,
          message: `Terraform refuses the configuration: ${addresses.join(', ')}`,
          remedy: 'delete the removed block, then plan again; or plan with --method blocks',
        }),
      ),
  ),
  finding(
    'MODULE_NOT_EDITED',
    'decision',
    'A legacy block is in a module that cannot be edited',
    (facts) =>
      oneFinding(placed(facts, 'inModules'), (blocks) => ({
        subject: facts.state.name,
        message: `the files of these modules are not part of this configuration: ${blocks.join(', ')}`,
        remedy:
          'when `apply` stops at the manual step, use a version of the module without the legacy resources, switch them off with an argument of the call, or delete the call',
      })),
  ),
  finding(
    'BLOCK_ALREADY_GONE',
    'decision',
    'A terraform apply now would destroy a legacy resource',
    ({ state, from, removal: { undeclared = [] } = {} }) =>
      oneFinding(
        undeclared.filter((address) => canDestroy(from, address)),
        (addresses) => ({
          subject: state.name,
          message: `the configuration no longer declares what the state still has: ${addresses.join(', ')}`,
          remedy:
            'do not run `terraform apply` in this folder before the steps of this plan have removed it from the state',
        }),
      ),
  ),
];

/** The blocks of other zones that also declare a zone whose ruleset is imported, and whose resources left the state. */
function blocksOfMigrated({ state, own, legacyBlocks, blockZones }: Facts): ResourceBlock[] {
  const inState = new Set(state.legacyResources.map(({ zoneId }) => zoneId));
  const migrated = own.filter(({ imported, zoneId }) => imported && !inState.has(zoneId));
  return legacyBlocks.filter(({ mode, block }) => {
    const zones = blockZones.get(block) ?? new Set();
    const hasOthers = [...zones].some((zone) => inState.has(zone));
    return mode === 'managed' && hasOthers && migrated.some(({ zoneId }) => zones.has(zoneId));
  });
}

function removedTooEarly(configuration: Facts['configuration']): string[] {
  if (configuration === undefined) return [];
  const { project } = configuration;
  return startsOf(project, 'removed').filter((address) => findBlocks(project, address).length > 0);
}

/** The legacy resources that stay with a higher number than one of the same block that is removed. */
function renumbered({ state: { legacyResources }, removedResources }: Facts): string[] {
  const unnumbered = (address: string): string => address.replace(NUMBER, '[]');
  const removed = groupBy(removedResources, ({ address }) => unnumbered(address));
  return legacyResources
    .filter((one) => one.mode === 'managed' && !removedResources.includes(one))
    .map(({ address }) => address)
    .filter((address) =>
      removed.get(unnumbered(address))?.some((one) => isAfter(address, one.address)),
    );
}

/** Whether the first number of an address that differs from the other's is higher. */
function isAfter(address: string, other: string): boolean {
  const [numbers, others] = [numbersIn(address), numbersIn(other)];
  const at = numbers.findIndex((number, index) => number !== others[index]);
  return (numbers[at] ?? 0) > (others[at] ?? 0);
}

const numbersIn = (address: string): number[] =>
  [...address.matchAll(NUMBER)].map(([, number]) => Number(number));

const NUMBER = /\[(\d+)\]/g;

/** The plan does not know which other configurations call a module. */
export const blockOfSeveralStates: Rule<readonly Facts[]> = finding(
  'BLOCK_OF_SEVERAL_STATES',
  'decision',
  'Other configurations may share a legacy block',
  (all) =>
    all.flatMap((facts) =>
      [...editedFilesOf(facts)].flatMap((file) => {
        const origin = sharedSource(facts, file);
        const editors = all.filter((one) => editedFilesOf(one).has(file));
        const isShown = callerOf(facts, file) ? editors[0] === facts : editors.length === 1;
        if (origin === undefined || !isShown) return [];
        return {
          subject: file,
          message: `${origin}. When its blocks are removed, an apply there would destroy the resources in their states`,
          remedy:
            'if other configurations call the module, plan their states together with this one (--dir for each), or directly after it, once nothing there reads the removed outputs of the module, and apply nothing else there until they are done. If their zones have not migrated, do not apply this plan. If the module has only legacy blocks, delete its call here instead, then plan again',
        };
      }),
    ),
);

/** The command that plans all zones of a state. None if the plan has them: then another state has the resources. */
function planOfAll({ state: { legacyResources, dir }, scope: { selected } }: Facts) {
  const isPlanned = legacyResources.every(
    ({ mode, zoneId = '' }) => mode === 'data' || selected.includes(zoneId),
  );
  return isPlanned ? {} : { command: ['cf-waf-migrate', 'plan', '--dir', dir] };
}

function placed({ removal }: Facts, which: 'shared' | 'inModules'): string[] {
  return placedAddresses({ addresses: removal?.[which] ?? [], places: removal?.places ?? {} });
}

/** The files from which the steps of a state remove blocks, or the user does. */
function editedFilesOf({ isIdle, removal }: Facts): ReadonlySet<string> {
  return isIdle ? new Set() : (removal?.files ?? new Set());
}

export function shareFiles(one: Facts, other: Facts): boolean {
  return [...editedFilesOf(one)].some((file) => editedFilesOf(other).has(file));
}

/** A folder outside of the plan that calls the module of a file. */
const callerOf = ({ state }: Facts, file: string): string | undefined =>
  state.otherCallers?.get(posix.dirname(file));

/** Why a file is, or may be, not only of this state. Undefined for any other file. */
function sharedSource(facts: Facts, file: string): string | undefined {
  const { configuration, isSynthesised, state } = facts;
  if (configuration === undefined) return undefined;
  const { root, rootModule } = configuration.project;
  const maybeCalled = 'and other configurations may call its module';
  const caller = callerOf(facts, file);
  if (caller !== undefined) return `the configuration in ${caller} calls its module too`;
  if (isOutside(root, file)) {
    return `the file is outside the folder of state ${state.name}, ${maybeCalled}`;
  }
  const isOwn = rootModule.files.some(({ path }) => realPathOf(configuration, path) === file);
  return isSynthesised && !isOwn
    ? `CDKTF copies the file from a module, ${maybeCalled}`
    : undefined;
}
