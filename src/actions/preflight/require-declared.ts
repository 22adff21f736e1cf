import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { declaredRulesets, readConfiguration } from '../read-configuration';
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
  for (const { address, state } of dueImports(plan, live)) {
    const dir = states.find(({ name }) => name === state)?.dir;
    if (dir === undefined || !names(address, 'import') || names(address, 'edit', 'manual'))
      continue;
    const configuration = await readConfiguration(dir, folder);
    const declared = configuration === undefined ? [] : declaredRulesets(configuration);
    if (declared.some((one) => one.address === address)) continue;
    throw new MigrationError(
      'CONFIG_CHANGED',
      `${printable(address, 200)} is no longer declared, as it was when the plan was made, and Terraform imports nothing else`,
    );
  }
}
