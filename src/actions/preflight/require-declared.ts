import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { mayDeclare } from '../../plan/may-declare';
import { type Plan } from '../../plan/plan';
import { readConfiguration } from '../read-configuration';
import { type LiveState } from './live-state';
import { dueImports } from './require-not-elsewhere';

/**
 * Checks that what is still to be imported, and that no step declares, is declared as it was when the plan was made.
 * Terraform refuses to import anything else, and by then the old resources may have left the state.
 * @throws MigrationError `CONFIG_CHANGED`
 */
export async function requireDeclared(
  plan: Plan,
  folder: string,
  live: ReadonlyMap<string, LiveState>,
): Promise<void> {
  const { steps, states } = plan;
  const names = (address: string, ...kinds: (typeof steps)[number]['kind'][]): boolean =>
    steps.some(({ kind, addresses = [] }) => kinds.includes(kind) && addresses.includes(address));
  const read = new Map<string, ReturnType<typeof readConfiguration>>();
  for (const { address, state } of dueImports(plan, live)) {
    const dir = states.find(({ name }) => name === state)?.dir;
    if (dir === undefined || !names(address, 'import') || names(address, 'edit', 'manual'))
      continue;
    const reading = read.get(dir) ?? readConfiguration(dir, folder);
    read.set(dir, reading);
    const configuration = await reading;
    // what OpenTofu alone loads is not read here
    const isUnread = (configuration?.tofuFiles ?? []).length > 0;
    if (configuration !== undefined && (isUnread || mayDeclare(configuration, address))) continue;
    throw new MigrationError(
      'CONFIG_CHANGED',
      `${printable(address, 200)} is no longer declared, as it was when the plan was made, and Terraform imports nothing else`,
    );
  }
}
