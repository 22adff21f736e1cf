import { type Lab } from './lab';

interface PlanJson {
  resource_changes?: { address: string; change: { actions: string[]; importing?: object } }[];
}

/** How many resources a saved plan treats in which way: `forget`, `no-op (import)`. */
export async function actionsOf(lab: Lab, plan: string): Promise<Record<string, number>> {
  const { stdout } = await lab.terraform('show', '-json', plan);
  const { resource_changes: changes = [] } = JSON.parse(stdout) as PlanJson;
  const counts: Record<string, number> = {};
  for (const { change } of changes) {
    const action = change.actions.join('-') + (change.importing ? ' (import)' : '');
    counts[action] = (counts[action] ?? 0) + 1;
  }
  return counts;
}
