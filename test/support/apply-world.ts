import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Plan } from '../../src/plan/plan';
import { runCli } from './run-cli';
import { type World, type WorldOptions } from './world';

/** Old settings that every order can take along. */
export const applySettings: WorldOptions = {
  packages: {
    c504870194831cd12c3fc0284f294abb: { sensitivity: 'medium', action_mode: 'simulate' },
  },
  rules: { '100000': 'simulate', '100001': 'disable' },
};
/** The orders, as the tests of apply ask for them. */
export type Method = 'commands' | 'removing' | 'blocks';

/** The plans that were made, by what they were made of: worlds of the same settings have the same. */
const made = new Map<string, string>();

/** Plans for the first zone, into `plan.json`. */
export async function makePlan(world: World, method: Method): Promise<Plan> {
  const { lab, zoneIds, rulesetIds, state, http } = world;
  const of = JSON.stringify([method, zoneIds, rulesetIds, state, http === null, filesOf(lab.dir)]);
  const known = made.get(of);
  if (known !== undefined) {
    lab.write('plan.json', known);
    return JSON.parse(known) as Plan;
  }
  const flags = {
    commands: ['--from', '3'],
    removing: [],
    blocks: ['--from', '3', '--method', 'blocks'],
  };
  const args = ['plan', '--zone', zoneIds[0]!, '--dir', '.', ...flags[method]];
  const run = await runCli([...args, '--format', 'json', '--out', 'plan.json'], {
    cwd: lab.dir,
    environment: lab.environment,
  });
  expect([run.stderr, run.code]).toEqual(['', 0]);
  made.set(of, lab.read('plan.json'));
  return JSON.parse(lab.read('plan.json'));
}

/** Names and texts of the files of a folder; the backend is another one each time. */
function filesOf(dir: string): [name: string, text: string][] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== 'backend.tf.json')
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => !path.includes('.terraform/'))
    .map((path) => [relative(dir, path), readFileSync(path, 'utf8')]);
}

/** Carries `plan.json` out, inside this process. */
export const apply = ({ lab }: World) =>
  runCli(['apply', 'plan.json', '--yes', '--json'], { cwd: lab.dir, environment: lab.environment });
/** Puts everything back. */
export const rollback = ({ lab }: World, journal: string) =>
  runCli(['rollback', journal, '--yes'], { cwd: lab.dir, environment: lab.environment });

/** What an undisturbed run leaves: the ruleset in the state, nothing old, an empty plan. */
export async function expectMigrated(world: World): Promise<void> {
  const { lab, addresses } = world;
  const listed = (await lab.terraform('state', 'list')).stdout.split('\n').filter(Boolean);
  expect(listed).toEqual(['cloudflare_ruleset.managed_rules']);
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
  state.resources.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return state;
}

/** The error of a run with `--json`: the last line, behind the events. */
export function errorOf({ stderr }: { stderr: string }): { code: string; message: string } {
  return (
    JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as { error: { code: string; message: string } }
  ).error;
}

/** Somebody changes the live ruleset between plan and apply. */
export async function changeLiveRuleset({ lab, zoneIds, rulesetIds }: World): Promise<void> {
  const { baseUrl, credentials } = lab.emulator;
  const rule = {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
  };
  const answer = await fetch(`${baseUrl}/zones/${zoneIds[0]!}/rulesets/${rulesetIds[0]!}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rules: [rule] }),
  });
  expect(answer.status).toBe(200);
}
