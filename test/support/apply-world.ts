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

/** Plans for the first zone, into `plan.json`. */
export async function makePlan({ lab, zoneIds }: World, method: Method): Promise<Plan> {
  const flags = {
    commands: ['--from', '3'],
    removing: [],
    blocks: ['--from', '3', '--method', 'blocks'],
  };
  const args = ['plan', '--zone', zoneIds[0]!, '--dir', '.', ...flags[method]];
  const made = await runCli([...args, '--format', 'json', '--out', 'plan.json'], {
    cwd: lab.dir,
    environment: lab.environment,
  });
  expect([made.stderr, made.code]).toEqual(['', 0]);
  return JSON.parse(lab.read('plan.json'));
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

/** The state as the backend has it. */
export async function stateNow({
  lab,
}: World): Promise<{ lineage: string; serial: number; resources: unknown[] }> {
  return JSON.parse((await lab.terraform('state', 'pull')).stdout);
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
