import { join } from 'node:path';
import { fileDigest } from '../../blocks/config-source';
import { localAddress } from '../../blocks/plan-edit';
import { withoutKeys } from '../../blocks/resource-address';
import { mayDeclare } from '../../plan/edit-configuration';
import { type Step } from '../../plan/plan';
import { parseAddress } from '../../state/address';
import { type ApplyContext, stateOf } from '../apply/apply-context';
import { readConfiguration } from '../read-configuration';
import { inspectTarget } from '../target-file';

/**
 * What a state holds again, and no file declares: its block was to leave by an edit, and has left by somebody else's
 * hand, or by an edit that the journal has lost and that was changed since. The next apply would destroy it.
 * @returns addresses without keys
 */
export async function undeclaredAgain(
  { edits = [], states, state }: Step,
  context: ApplyContext,
): Promise<string[]> {
  const { folder } = context;
  const removed = new Set(
    edits
      .filter(({ file, sha256: before }) => {
        const now = inspectTarget(join(folder, file)).present?.bytes;
        return fileDigest(now) !== before;
      })
      .flatMap(({ remove }) => remove.map(({ address }) => localAddress(address))),
  );
  if (removed.size === 0) return [];
  const undeclared: string[] = [];
  for (const name of states ?? [state]) {
    const { planned, live } = stateOf(context, { state: name });
    const held = new Set(
      [...live.addresses]
        .filter((address) => parseAddress(address).mode === 'managed')
        .map(withoutKeys)
        .filter((address) => removed.has(localAddress(address))),
    );
    const isDeclared = await declarationsIn(planned.dir, folder);
    undeclared.push(...[...held].filter((address) => !isDeclared(address)));
  }
  return undeclared;
}

/** Of a configuration that cannot be read nothing is known to be declared: it is a person's to look at. */
async function declarationsIn(dir: string, folder: string): Promise<(address: string) => boolean> {
  const configuration = await readConfiguration(dir, folder).catch(() => undefined);
  if (configuration === undefined) return () => false;
  return (address) => mayDeclare(configuration, address);
}
