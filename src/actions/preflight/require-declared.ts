import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { mayDeclare } from '../../plan/edit-configuration';
import { type Plan } from '../../plan/plan';
import { readConfiguration } from '../read-configuration';
import { type LiveState } from './live-state';
import { dueImports } from './require-not-elsewhere';

/**
 * The addresses that a plan imports after a removal, that no step of it declares, and that the configuration no longer
 * declares as it did when the plan was made. Terraform imports nothing else, and would refuse after the removal. Where
 * the import comes first, Terraform refuses before anything is changed, and no configuration is read.
 */
export async function undeclaredImports(
  { steps, states, zones }: Plan,
  folder: string,
): Promise<string[]> {
  const undeclared: string[] = [];
  const read = new Map<string, ReturnType<typeof readConfiguration>>();
  for (const { address, state } of zones.map(({ ruleset }) => ruleset)) {
    const dir = states.find(({ name }) => name === state)?.dir;
    const own = steps.filter(
      (one) => one.addresses?.includes(address) && ['edit', 'manual', 'import'].includes(one.kind),
    );
    const [first] = own;
    const removal = steps.findIndex((one) => one.kind === 'remove' && one.state === state);
    if (dir === undefined || first?.kind !== 'import') continue;
    if (removal < 0 || steps.indexOf(first) < removal) continue;
    const reading = read.get(dir) ?? readConfiguration(dir, folder);
    read.set(dir, reading);
    const configuration = await reading;
    if (configuration !== undefined && mayDeclare(configuration, address)) continue;
    undeclared.push(address);
  }
  return undeclared;
}

/** @throws MigrationError `CONFIG_CHANGED` */
export function requireDeclared(
  undeclared: readonly string[],
  plan: Plan,
  live: ReadonlyMap<string, LiveState>,
): void {
  const address = dueImports(plan, live).find((one) => undeclared.includes(one.address))?.address;
  if (address === undefined) return;
  throw new MigrationError(
    'CONFIG_CHANGED',
    `${printable(address, 200)} is no longer declared, as it was when the plan was made, and Terraform imports nothing else`,
  );
}
