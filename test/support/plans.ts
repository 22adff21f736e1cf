import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { runCli } from './run-cli';
import { type World } from './world';

/** The plans made so far, by their input. */
const made = new Map<string, string>();

/**
 * Plans for the first zone of a world, into `plan.json`. Worlds with the same settings have the same plan, so
 * it is made only once.
 * @param flags arguments for Terraform come last
 * @param codes with which the command may end
 */
export async function planOnce(
  world: World,
  flags: readonly string[],
  environment: Record<string, string>,
  codes: readonly number[],
): Promise<Plan> {
  const { lab, zoneIds, rulesetIds, http } = world;
  const state = http === null ? [] : [http.state()];
  const of = JSON.stringify([flags, zoneIds, rulesetIds, state, filesOf(lab.dir), lab.sent()]);
  const known = made.get(of);
  if (known === undefined) {
    const args = ['plan', '--zone', zoneIds[0]!, '--dir', '.', '--format', 'json'];
    const run = await runCli([...args, '--out', 'plan.json', ...flags], {
      cwd: lab.dir,
      environment,
    });
    if (!codes.includes(run.code)) throw new Error(`${run.code}: ${run.stderr}`);
    made.set(of, lab.read('plan.json'));
  } else lab.write('plan.json', known);
  return JSON.parse(lab.read('plan.json')) as Plan;
}

/** Names and texts of the files of a folder, without the address of the backend, which differs in each run. */
function filesOf(dir: string): [name: string, text: string][] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== 'backend.tf.json')
    .map((one) => relative(dir, join(one.parentPath, one.name)))
    .filter((name) => !name.startsWith('.terraform/'))
    .map((name) => [name, readFileSync(join(dir, name), 'utf8')]);
}

/** The flags that accept each decision of a plan. */
export function acceptAll({ findings }: Pick<Plan, 'findings'>): string[] {
  const codes = findings.flatMap(({ severity, code }) => (severity === 'decision' ? [code] : []));
  return [...new Set(codes)].flatMap((code) => ['--accept', code]);
}

/** The path of a plan's journal, in the folder of the plan. */
export const journalOf = ({ digest }: { readonly digest: string }): string =>
  `cf-waf-migrate-backup/${digest.slice(0, 12)}.journal.jsonl`;
