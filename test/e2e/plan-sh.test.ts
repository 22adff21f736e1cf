import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readStateBytes } from '../../src/plan/facts/read-facts';
import { renderSh } from '../../src/plan/formats/sh';
import { planMigration } from '../../src/plan/plan-migration';
import { type Plan } from '../../src/plan/plan-schema';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { applySettings, expectMigrated, makePlan } from '../support/apply-world';
import { arbitraryResources, rawState } from '../support/arbitrary-state';
import { runCli } from '../support/run-cli';
import { type ProcessRun, runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';
import { inWorld, type World } from '../support/world';

const files = readdirSync(statesFolder).filter((name) => name.endsWith('.tfstate'));
const KEY = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g;
const MODULES = /^(module\.[^.]+\.)*/;
const OLD =
  /^(data\.cloudflare_waf_(packages|groups|rules)|cloudflare_waf_(package|group|rule|override))\./;
/** Only by the address, independent of the tool's own parser. */
const isOld = (address: string): boolean => OLD.test(address.replace(KEY, '').replace(MODULES, ''));
/** A decision that was accepted. */
const DECISION = /^decision: .*\n(?: {4}.*\n)*/gm;

async function stateList(folder: string): Promise<string[]> {
  const { stdout } = await terraform(folder, ['state', 'list']);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Runs the script of a plan, which accepts each decision. */
function runAccepting(
  folder: string,
  script: string,
  environment: Record<string, string> = {},
): Promise<ProcessRun> {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('TF_'));
  const codes = [...script.matchAll(/\bdecision: .*\(([A-Z_]+)\)/g)];
  const accept = codes.flatMap(([, code]) => ['--accept', code!]);
  writeFileSync(join(folder, 'plan.sh'), script);
  return runProcess('/bin/sh', ['plan.sh', ...accept], {
    cwd: folder,
    env: { ...Object.fromEntries(env), CHECKPOINT_DISABLE: '1', ...environment },
  });
}

/**
 * Runs the script of a plan for all zones of a state, up to its manual step after the removal. Returns the legacy
 * addresses of the state, and the backup unless there is nothing to remove.
 */
async function removeOld(bytes: Buffer): Promise<{ old: string[]; backup?: string }> {
  const folder = temporaryFolder();
  const state = readStateBytes(bytes, 'default', { from: '4.52.8', to: '4.52.8' });
  const ids = [...new Set(state.legacyResources.flatMap(({ zoneId }) => zoneId ?? []))];
  const zones = ids.map((zoneId, index) => ({
    zoneId,
    rulesetId: 'a'.repeat(32),
    address: `cloudflare_ruleset.managed_rules_${index}`,
  }));
  const plan = planMigration(zones, [state]);
  writeFileSync(join(folder, 'terraform.tfstate'), bytes);
  const before = await stateList(folder);
  const old = before.filter(isOld);
  const removal = plan.steps.find(({ kind }) => kind === 'remove');
  if (removal === undefined) {
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['check']);
    return { old };
  }
  expect([...removal.addresses!].sort()).toEqual(old.toSorted());
  const ran = await runAccepting(folder, renderSh(plan));
  expect([ran.stderr.replaceAll(DECISION, ''), ran.code]).toEqual(['', 2]);
  expect(await stateList(folder)).toEqual(before.filter((address) => !isOld(address)));
  const { runs = [] } = plan.steps.find(({ kind }) => kind === 'backup')!;
  return { old, backup: join(folder, runs[0]!.saveTo!) };
}

it.each(files)('the script removes exactly the legacy addresses of %s', async (file) => {
  const bytes = readFileSync(join(statesFolder, file));
  const { old, backup } = await removeOld(bytes);
  expect(old.length > 0).toBe(backup !== undefined);
  if (backup === undefined) return;
  expect(JSON.parse(readFileSync(backup, 'utf8'))).toEqual(JSON.parse(bytes.toString()));
  expect(statSync(backup).mode & 0o777).toBe(0o600);
});

it('the script removes exactly the legacy addresses of random states with hostile keys', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryResources, async (resources) => {
      const text = JSON.stringify(rawState(resources), null, 2);
      // Terraform 1.11.4 can address only keys in Unicode form C
      fc.pre(text === text.normalize('NFC'));
      await removeOld(Buffer.from(text));
    }),
    { numRuns: 12 },
  );
}, 300_000);

it('trap 8.4: plan honours TF_WORKSPACE, and so does its script', async () => {
  const state = (name: string) => readFileSync(join(statesFolder, `${name}-3.35.tfstate`));
  const folder = temporaryFolder({
    'main.tf': '',
    'terraform.tfstate': state('old-waf'),
    'terraform.tfstate.d/prod/terraform.tfstate': state('tainted'),
  });
  const planned = async (environment: Record<string, string> = {}): Promise<Plan> => {
    const line = `plan --zone ${ZONE} --ruleset-id ${RULESET} --from 4 --json`;
    return JSON.parse((await runCli(line, { cwd: folder, environment })).stdout);
  };
  const inProd = { TF_WORKSPACE: 'prod' };
  const [there, here] = [await planned(inProd), await planned()];
  expect([there.states[0]!.workspace, here.states[0]!.workspace]).toEqual(['prod', 'default']);
  const [few = 0, many = 0] = [there, here].map(
    ({ steps }) => steps.find(({ kind }) => kind === 'remove')?.addresses?.length,
  );
  expect([few > 0, few < many]).toEqual([true, true]);

  // without the blockers and decisions of a folder that has only a state
  const script = renderSh({ ...there, findings: [] });
  const wrong = await runAccepting(folder, script);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not the state')]);
  // nothing of the wrong state is kept, so that the next run can save the right one
  const right = await runAccepting(folder, script, inProd);
  expect([right.code, right.stderr]).toEqual([2, '']);
});

const runScript = ({ lab }: World): Promise<ProcessRun> => lab.run('/bin/sh', ['plan.sh']);

/** A saved plan contains the state, as the backup does: git must ignore both. */
function expectNoStateLyingAbout({ lab }: World): void {
  expect(existsSync(join(lab.dir, 'cf-waf-migrate.tfplan'))).toBe(false);
  expect(lab.read('cf-waf-migrate-backup/.gitignore')).toBe('*\n');
}

it.each([
  ['commands', 'http'],
  ['removing', 'local'],
  ['blocks', 'http'],
] as const)(
  'the script of order %s on the %s backend migrates the folder to an empty plan, and can be run again',
  (method, backend) =>
    inWorld({ ...applySettings, backend }, async (world) => {
      const { mode } = statSync(join(world.lab.dir, 'main.tf'));
      world.lab.write('plan.sh', renderSh(await makePlan(world, method)));
      const first = await runScript(world);
      expect([first.stderr, first.code]).toEqual(['', 0]);
      await expectMigrated(world);
      expectNoStateLyingAbout(world);
      expect(statSync(join(world.lab.dir, 'main.tf')).mode).toBe(mode);

      const again = await runScript(world);
      expect([again.stderr, again.code]).toEqual(['', 0]);
      expect(again.stdout).toContain('done already: main.tf');
      await expectMigrated(world);
    }),
);

it('the script applies a plan whose only other changes are drift', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    world.lab.write('plan.sh', renderSh(await makePlan(world, 'blocks')));
    const drift = '"resource_drift":[{"change":{"actions":["delete"]}}],"resource_changes":';
    const drifted = `terraform() {
      case "$*" in
      *show*-json*) command terraform "$@" | sed 's/"resource_changes":/${drift}/' ;;
      *) command terraform "$@" ;;
      esac
    }
    . ./plan.sh`;
    const { code, stderr } = await world.lab.run('/bin/sh', ['-c', drifted, 'plan.sh']);
    expect([stderr, code]).toEqual(['', 0]);
    await expectMigrated(world);
  }));

it('the script applies no plan that does more than import and forget', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    lab.write('plan.sh', renderSh(await makePlan(world, 'blocks')));
    lab.write('more.tf', 'resource "terraform_data" "more" {}\n');
    const { code, stderr } = await runScript(world);
    expect([code, stderr]).toEqual([
      1,
      'the plan does more than import and remove from state: it was not applied\n',
    ]);
    expect((await lab.stateList()).sort()).toEqual([...world.addresses].sort());
    expectNoStateLyingAbout(world);
  }));
