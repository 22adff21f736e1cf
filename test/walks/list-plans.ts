import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { type Snapshot, type World } from './world';

/** The plans of the list by file, with folders relative to the root. */
export function plansOf({ root }: World): Map<string, Plan> {
  const folder = join(root, 'plans');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names
      .filter((name) => name.endsWith('.plan.json'))
      .map((name) => {
        const plan: Plan = JSON.parse(readFileSync(join(folder, name), 'utf8'));
        const states = plan.states.map((one) => ({ ...one, dir: join('plans', one.dir) }));
        return [join('plans', name), { ...plan, states }];
      }),
  );
}

/** Plans of different folders as one. */
export function merged(plans: readonly Plan[]): Plan | null {
  const [first] = plans;
  if (first === undefined) return null;
  return {
    ...first,
    zones: plans.flatMap(({ zones }) => zones),
    states: plans.flatMap(({ states }) => states),
    steps: plans.flatMap(({ steps }) => steps),
    findings: plans.flatMap(({ findings }) => findings),
  };
}

/** What a command can change in the folders of a plan. */
export const contentOf = ({ states }: Plan, { files, states: texts }: Snapshot): string =>
  JSON.stringify(
    states.map(({ dir }) => [
      texts[dir],
      Object.entries(files).filter(([name]) => !relative(dir, name).startsWith('..')),
    ]),
  );
