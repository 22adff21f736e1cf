import { findBlocks } from '../../blocks/find-blocks';
import { localAddress } from '../../blocks/plan-edit';
import { withoutKeys } from '../../blocks/resource-address';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { placeOf } from '../../plan/block-keys';
import { type PlanState, type Step } from '../../plan/plan';
import { placesOf } from '../linked-files';
import { readConfiguration } from '../read-configuration';
import { type ApplyContext, stateOf } from './apply-context';

/**
 * A block whose resource a state still holds is not taken out: the next apply would destroy it, which
 * re-arms the defaults. Where blocks let it go, the same edit leaves its `removed` block.
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function refuseHeld(step: Step, context: ApplyContext): Promise<void> {
  for (const state of step.states ?? [step.state]) {
    const { planned, live } = stateOf(context, { state });
    if (planned.method === 'blocks') continue;
    const held = await takenOut(step, planned, context.folder, live.addresses);
    if (held === undefined) continue;
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `state ${printable(state, 80)} still holds ${printable(held, 200)}: without its block, the next apply would destroy it`,
      { hint: 'run the steps before this one first: `apply` without --only' },
    );
  }
}

/** The first of the addresses whose block the step takes out; an edit names it as its own file does. */
async function takenOut(
  { edits = [] }: Step,
  { dir }: PlanState,
  folder: string,
  addresses: ReadonlySet<string>,
): Promise<string | undefined> {
  const local = new Set(
    edits.flatMap(({ remove }) => remove.map((one) => localAddress(one.address))),
  );
  const alike = [...new Set([...addresses].map(withoutKeys))].filter((one) =>
    local.has(localAddress(one)),
  );
  // read where it matters alone: mostly all of them have left
  const configuration = alike.length === 0 ? undefined : await readConfiguration(dir, folder);
  if (configuration === undefined) return undefined;
  // an edit may name a file by the link of another state's folder, which this configuration does not know
  const places = await placesOf(
    edits.map(({ file }) => file),
    folder,
  );
  const nameOf = (place: string | undefined, address: string): string =>
    `${place} ${localAddress(address)}`;
  const leaving = new Set(
    edits.flatMap(({ file, remove }) =>
      remove.map(({ address }) => nameOf(places.get(file), address)),
    ),
  );
  // the module of another zone, which stays, may have a block of the same name
  return alike.find((address) =>
    findBlocks(configuration.project, address).some(({ file }) =>
      leaving.has(nameOf(placeOf(configuration, file.path), address)),
    ),
  );
}
