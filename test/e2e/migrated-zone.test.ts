import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits } from '../../src/apply/steps/edit';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { type Plan, type Step } from '../../src/plan/plan';
import { type RunningProvider, startProvider } from '../support/provider/start';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

const states = join(__dirname, '../fixtures/terraform/states');
const zones = [
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  '11111111111111111111111111111111',
  '22222222222222222222222222222222',
  '33333333333333333333333333333333',
];
const OLD = /(^|\.)cloudflare_waf_/;

let emulator: Emulator;
let provider: RunningProvider;
beforeAll(async () => {
  emulator = await startEmulator({ scenario: 'old-waf' });
  provider = await startProvider({ major: 5, baseUrl: emulator.baseUrl });
});
afterAll(async () => {
  await provider.stop();
  await emulator.stop();
});

/** Her folder: zones that were migrated long ago, the old blocks, the state that 3.35 wrote. */
function oldProject(): string {
  const dir = temporaryFolder();
  cpSync(join(states, 'old-waf-3.35'), dir, { recursive: true });
  cpSync(join(states, 'old-waf-3.35.tfstate'), join(dir, 'terraform.tfstate'));
  writeFileSync(
    join(dir, 'versions.tf'),
    `terraform {
  required_providers {
    cloudflare = { source = "cloudflare/cloudflare" }
  }
}
variable "zone_id" {
  default = "${zones[0]!}"
}
`,
  );
  return dir;
}

const environment = (): Record<string, string> => ({
  CLOUDFLARE_BASE_URL: emulator.baseUrl,
  CLOUDFLARE_API_TOKEN: emulator.credentials.token,
});

async function carryOut(step: Step, dir: string): Promise<void> {
  for (const { argv } of step.runs ?? []) {
    const [binary, ...args] = argv;
    const ran =
      binary === 'terraform'
        ? await terraform(dir, args, provider.env)
        : await runCli(args, { cwd: dir, environment: environment() });
    expect([argv.slice(0, 4), ran.code, ran.stderr]).toEqual([argv.slice(0, 4), 0, '']);
  }
  if (step.edits) await applyEdits(step.edits, dir);
}

async function stateList(dir: string): Promise<string[]> {
  const { stdout } = await terraform(dir, ['state', 'list']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('a zone that was migrated long ago, its old interfaces dead', () => {
  it('is led to an empty plan, with no request to the old interfaces', async () => {
    const dir = oldProject();
    expect((await terraform(dir, ['init'], provider.env)).code).toBe(0);
    const args = ['plan', ...zones.flatMap((zone) => ['--zone', zone]), '--dir', dir];
    const planned = await runCli([...args, '--from', '5', '--to', '5', '--json'], {
      cwd: dir,
      environment: environment(),
    });
    expect(planned.stderr).toContain('decision: FIREWALL_RULES_LEAVE');
    const plan: Plan = JSON.parse(planned.stdout);
    expect(plan.states[0]!.dir).toBe('.');
    expect(plan.steps.map(({ kind }) => kind)).toEqual([
      ...['backup', 'remove-dry-run', 'remove', 'edit'],
      ...zones.map(() => 'edit'),
      ...zones.map(() => 'import'),
      'check',
    ]);

    const before = await terraform(dir, ['plan'], provider.env);
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('cloudflare_waf_');

    emulator.clearRequests();
    for (const step of plan.steps) {
      await carryOut(step, dir);
      if (step.expects?.gone) {
        const present = new Set(await stateList(dir));
        expect(step.expects.gone.filter((address) => present.has(address))).toEqual([]);
      }
    }
    const left = await stateList(dir);
    expect(left.filter((address) => OLD.test(address))).toEqual([]);
    expect(left).toEqual(plan.zones.map(({ ruleset }) => ruleset.address).sort());
    const paths = emulator.requests().map(({ method, path }) => `${method} ${path}`);
    expect(
      paths.filter((path) => path.includes('/firewall/') || path.includes('/waf_migration/')),
    ).toEqual([]);
    expect(paths.filter((path) => !path.startsWith('GET '))).toEqual([]);
    expect(paths.length).toBeGreaterThan(zones.length);
  });
});
