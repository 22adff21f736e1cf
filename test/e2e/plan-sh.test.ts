import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readStateBytes } from '../../src/plan/facts/read-facts';
import { renderSh } from '../../src/plan/formats/sh';
import { type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { arbitraryResources, rawState } from '../support/arbitrary-state';
import { type ProcessRun, runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

const states = join(__dirname, '../fixtures/terraform/states');
const files = readdirSync(states).filter((name) => name.endsWith('.tfstate'));
const KEY = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g;
const MODULES = /^(module\.[^.]+\.)*/;
const OLD =
  /^(data\.cloudflare_waf_(packages|groups|rules)|cloudflare_waf_(package|group|rule|override))\./;
/** Only by the address, independent of the tool's own parser. */
const isOld = (address: string): boolean => OLD.test(address.replace(KEY, '').replace(MODULES, ''));
const versions = {
  'removing first': { from: '4.52.8', to: '4.52.8' },
  'importing first': { from: '3.35.0', to: '3.35.0' },
};

interface Case {
  readonly folder: string;
  readonly plan: Plan;
  readonly before: string[];
}

async function stateList(folder: string): Promise<string[]> {
  const { stdout } = await terraform(folder, ['state', 'list']);
  return stdout.split('\n').filter((line) => line !== '');
}

/** A folder with a state, and the script of a plan for all zones of the state. */
async function prepare(bytes: Buffer, order: keyof typeof versions): Promise<Case> {
  const folder = temporaryFolder();
  const state = readStateBytes(bytes, 'default', versions[order]);
  const ids = [...new Set(state.legacyResources.flatMap(({ zoneId }) => zoneId ?? []))];
  const zones = ids.map((zoneId, index) => ({
    zoneId,
    rulesetId: 'a'.repeat(32),
    address: `cloudflare_ruleset.managed_rules_${index}`,
  }));
  const plan = planMigration(zones, [state]);
  writeFileSync(join(folder, 'terraform.tfstate'), bytes);
  writeFileSync(join(folder, 'plan.sh'), renderSh(plan));
  return { folder, plan, before: await stateList(folder) };
}

function runScript(folder: string, ...args: string[]): Promise<ProcessRun> {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('TF_'));
  const script = readFileSync(join(folder, 'plan.sh'), 'utf8');
  const accept = [...script.matchAll(/\bdecision: .*\(([A-Z_]+)\)/g)].flatMap(([, code]) => [
    '--accept',
    code!,
  ]);
  return runProcess('/bin/sh', ['plan.sh', ...accept, ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(env), CHECKPOINT_DISABLE: '1' },
  });
}

/** A decision that was accepted. */
const DECISION = /^decision: .*\n(?: {4}.*\n)*/gm;

const leaving = ({ plan }: Case): string[] =>
  plan.steps.filter(({ kind }) => kind === 'remove').flatMap(({ addresses }) => addresses ?? []);

/** Backs up and removes in any order; the script stops at the manual step after that. */
async function remove(one: Case): Promise<void> {
  const order = one.plan.steps.map(({ kind }) => kind);
  const first = await runScript(one.folder);
  expect([first.stderr.replaceAll(DECISION, ''), first.code]).toEqual(['', 2]);
  if (order.indexOf('remove') < order.indexOf('manual')) return;
  const begin = one.plan.steps.find(({ kind }) => kind === 'remove-dry-run')!.id;
  const second = await runScript(one.folder, begin);
  expect([second.stderr.replaceAll(DECISION, ''), second.code]).toEqual(['', 2]);
}

async function expectOldGone(one: Case): Promise<void> {
  const old = one.before.filter(isOld);
  expect([...leaving(one)].sort()).toEqual([...old].sort());
  expect(await stateList(one.folder)).toEqual(one.before.filter((address) => !isOld(address)));
}

function backupOf({ folder, plan }: Case): string {
  return join(folder, plan.steps.find(({ kind }) => kind === 'backup')!.runs![0]!.saveTo!);
}

describe('the script', () => {
  it.each(files)('removes exactly the old addresses of %s', async (file) => {
    const one = await prepare(readFileSync(join(states, file)), 'removing first');
    if (leaving(one).length === 0) {
      expect(one.before.filter(isOld)).toEqual([]);
      expect(one.plan.steps.map(({ kind }) => kind)).toEqual(['check']);
      expect(await stateList(one.folder)).toEqual(one.before);
      return;
    }
    await remove(one);
    await expectOldGone(one);

    const backup = backupOf(one);
    expect(JSON.parse(readFileSync(backup, 'utf8'))).toEqual(
      JSON.parse(readFileSync(join(states, file), 'utf8')),
    );
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });
});

it('removes exactly the old addresses of random states with hostile keys', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryResources, async (resources) => {
      const text = JSON.stringify(rawState(resources), null, 2);
      // Terraform 1.11.4 can address only keys in Unicode form C
      fc.pre(text === text.normalize('NFC'));
      const bytes = Buffer.from(text);
      const one = await prepare(bytes, 'removing first');
      if (leaving(one).length === 0) return;
      await remove(one);
      await expectOldGone(one);
    }),
    { numRuns: 12 },
  );
}, 300_000);
