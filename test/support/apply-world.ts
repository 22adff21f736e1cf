import { compareTexts } from '../../src/core/lists';
import { type Plan } from '../../src/plan/plan-schema';
import { acceptAll, planOnce } from './plans';
import { type World, type WorldOptions } from './world';

/** Legacy settings that every order can migrate. */
export const applySettings: WorldOptions = {
  packages: {
    c504870194831cd12c3fc0284f294abb: { sensitivity: 'medium', action_mode: 'simulate' },
  },
  rules: { '100000': 'simulate', '100001': 'disable' },
};
export type Method = 'commands' | 'removing' | 'blocks';

/** Plans for the first zone, into `plan.json`. */
export function makePlan(world: World, method: Method): Promise<Plan> {
  const flags = {
    commands: ['--from', '3'],
    removing: [],
    blocks: ['--from', '3', '--method', 'blocks'],
  };
  return planOnce(world, flags[method], world.lab.environment, [0]);
}

export const apply = ({ lab }: World) => {
  const accepted = acceptAll(JSON.parse(lab.read('plan.json')));
  return lab.cli(['apply', 'plan.json', '--yes', '--json', ...accepted]);
};
export const rollback = ({ lab }: World, journal: string, ...flags: string[]) =>
  lab.cli(['rollback', journal, '--yes', ...flags]);

/** Expects an undisturbed run: the ruleset in the state, nothing legacy, an empty plan. */
export async function expectMigrated(world: World): Promise<void> {
  const { lab, addresses } = world;
  expect(stateNow(world).resources).toMatchObject([
    { type: 'cloudflare_ruleset', name: 'managed_rules' },
  ]);
  expect(addresses.length).toBeGreaterThan(2);
  expect(lab.read('main.tf')).not.toContain('cloudflare_waf_');
  expect((await lab.plan()).outcome).toBe('empty');
  const asked = lab.emulator.requests();
  expect(
    asked.filter(({ method, path }) => method !== 'GET' || path.includes('/firewall/')),
  ).toEqual([]);
}

interface State {
  lineage: string;
  serial: number;
  resources: { type: string; name: string }[];
}

/** The state as the backend has it, its resources in the order of their names. */
export function stateNow({ lab, http }: World): State {
  const state: State = JSON.parse(http?.state() ?? lab.read('terraform.tfstate'));
  const nameOf = ({ type, name }: State['resources'][number]): string => `${type}.${name}`;
  state.resources.sort((one, other) => compareTexts(nameOf(one), nameOf(other)));
  return state;
}

/** Changes the live ruleset between plan and apply, as another user would. */
export async function changeLiveRuleset(
  { lab, zoneIds, rulesetIds }: World,
  changes: object = {},
): Promise<void> {
  const { baseUrl, credentials } = lab.emulator;
  const rule = {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
  };
  const answer = await fetch(`${baseUrl}/zones/${zoneIds[0]!}/rulesets/${rulesetIds[0]!}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...changes, rules: [rule] }),
  });
  expect(answer.status).toBe(200);
}
