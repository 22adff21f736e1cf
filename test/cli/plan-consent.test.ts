import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

/** A state with legacy resources of five zones, and data sources. */
const state = join(statesFolder, 'old-waf-3.35.tfstate');
const oneZone = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--state', state];
const INSTALLED = {
  'provider 3': ['--from', '3.35.0'],
  'provider 4': ['--from', '4.52.8'],
  'provider 5': ['--from', '5.22.0'],
  'an unknown provider': [],
};
const severityOf = (provider: string): string =>
  provider === 'provider 3' ? 'decision' : 'blocker';

/** Plans into a script, and runs it with a Terraform that does nothing. */
async function runScript(provider: keyof typeof INSTALLED, ...args: string[]) {
  const cwd = temporaryFolder();
  const { stdout } = await runCli([...oneZone, ...INSTALLED[provider], '--format', 'sh']);
  writeFileSync(join(cwd, 'plan.sh'), stdout);
  const terraform = fakeTerraform(cwd, 'exit 1');
  const env = { ...process.env, PATH: terraform.searchPath };
  const ran = await runProcess('sh', ['plan.sh', ...args], { cwd, env });
  return { ...ran, calls: terraform.calls() };
}

describe.each(Object.keys(INSTALLED) as (keyof typeof INSTALLED)[])(
  'one of five zones, under %s',
  (provider) => {
    const finding = `${severityOf(provider)}: OTHER_ZONES main`;

    it.each([
      ...['text', 'sh', 'markdown', 'json'].map((format) => ['--format', format]),
      ['--json'],
      ['--json', '--quiet'],
    ])('is on standard error where standard output is a pipe: %s %s', async (...flags) => {
      const piped = await runCli([...oneZone, ...INSTALLED[provider], ...flags]);
      expect(piped.code).toBe(2);
      expect(piped.stderr).toContain(`${finding}\n`);
      const shown = await runCli([...oneZone, ...INSTALLED[provider], ...flags], {
        terminal: true,
      });
      expect(shown.stderr).toBe('');
    });

    it('is in the Markdown text', async () => {
      const args = [...oneZone, ...INSTALLED[provider], '--format', 'markdown'];
      const { stdout } = await runCli(args);
      expect(stdout).toContain(`- [ ] **${severityOf(provider)}** \`OTHER_ZONES\``);
    });

    it('keeps the script from running', async () => {
      const { code, stderr, calls } = await runScript(provider);
      expect(stderr).toContain(`${finding}\n`);
      expect([code > 0, calls]).toEqual([true, []]);
    });
  },
);

describe('the script of a plan with a decision', () => {
  it('says how to accept it', async () => {
    const { code, stderr } = await runScript('provider 3');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--accept OTHER_ZONES\n')]);
  });

  it('runs when the decision is accepted by its code', async () => {
    const { calls } = await runScript('provider 3', '--accept', 'OTHER_ZONES');
    expect(calls).toEqual([['state', 'pull']]);
  });

  it.each([
    [['--accept', 'ANOTHER']],
    [['--accept', 'OTHER']],
    [['--accept', 'OTHER_ZONES_TOO', '2']],
  ])('does not run with %j', async (args) => {
    const { code, calls } = await runScript('provider 3', ...args);
    expect([code, calls]).toEqual([2, []]);
  });

  it.each([[['--accept']], [['--yes']], [['']]])('refuses %j', async (args) => {
    const { code, stderr, calls } = await runScript('provider 3', ...args);
    expect([code, calls]).toEqual([64, []]);
    expect(stderr).toBe('usage: sh plan.sh [--accept CODE]... [STEP]\n');
  });
});

it('a blocker is not accepted by its code', async () => {
  const { code, calls } = await runScript('provider 4', '--accept', 'OTHER_ZONES');
  expect([code, calls]).toEqual([1, []]);
});

describe('with data sources under provider 3', () => {
  it('only data sources and the resources of the selected zones are removed', async () => {
    const { stdout } = await runCli([...oneZone, ...INSTALLED['provider 3'], '--json']);
    const { steps } = JSON.parse(stdout);
    const removed: string[] = steps.find(({ kind }: any) => kind === 'remove').addresses;
    const { resources } = JSON.parse(readFileSync(state, 'utf8'));
    const expected = resources
      .filter(({ type }: any) => type.startsWith('cloudflare_waf_'))
      .flatMap(({ mode, instances }: any) =>
        instances.filter(({ attributes }: any) => mode === 'data' || attributes.zone_id === ZONE),
      );
    expect(removed).toHaveLength(expected.length);
    expect(steps.map(({ kind }: any) => kind)).toEqual(
      expect.arrayContaining(['remove', 'import', 'check']),
    );
    // a full plan would call the legacy API for what stays
    expect(steps.at(-1).expects).toEqual({ plan: 'target-empty' });
  });
});

describe('plan without --zone', () => {
  it('plans all zones of the state', async () => {
    const { resources } = JSON.parse(readFileSync(state, 'utf8'));
    const zones = new Set<string>(
      resources
        .filter(({ type }: any) => type.startsWith('cloudflare_waf_'))
        .flatMap(({ instances }: any) => instances.map((one: any) => one.attributes.zone_id)),
    );
    const ids = [...zones].map((zone) => `${zone}=${RULESET.slice(0, 31)}${zone.slice(0, 1)}`);
    const args = ['plan', '--state', state, '--from', '4.52.8', '--ruleset-id', ...ids];
    const { code, stdout, stderr } = await runCli([...args, '--json']);
    const plan = JSON.parse(stdout);
    expect(plan.zones.map(({ zoneId }: any) => zoneId).toSorted()).toEqual([...zones].toSorted());
    expect([code, stderr]).toEqual([0, '']);
  });
});

it('plan --write with a blocker writes nothing', async () => {
  const cwd = temporaryFolder();
  const rule = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = "z"\n}\n';
  writeFileSync(join(cwd, 'main.tf'), rule);
  const instance = (zone: string, key: string) => ({
    ...{ index_key: key, schema_version: 0 },
    attributes: { id: '100000', zone_id: zone },
  });
  const resource = {
    ...{ mode: 'managed', type: 'cloudflare_waf_rule', name: 'r' },
    provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
    instances: [instance(ZONE, 'a'), instance('f'.repeat(32), 'b')],
  };
  const pulled = { version: 4, terraform_version: '1.11.4', serial: 3, lineage: 'l' };
  writeFileSync(join(cwd, 'state.json'), JSON.stringify({ ...pulled, resources: [resource] }));
  writeFileSync(
    join(cwd, 'managed_rules.tf'),
    `resource "cloudflare_ruleset" "managed_rules" {\n  zone_id = "${ZONE}"\n  name = "n"\n  kind = "zone"\n  phase = "http_request_firewall_managed"\n}\n`,
  );
  const body = `case "$*" in 'state pull') cat state.json ;; 'workspace show') echo default ;; esac`;
  const environment = { PATH: fakeTerraform(cwd, body).searchPath };
  const args = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--dir', '.', '--from', '3.35.0'];
  const { code, stderr } = await runCli(
    [...args, '--method', 'blocks', '--write', '--out', 'plan.json', '--json'],
    { cwd, environment },
  );
  expect(readFileSync(join(cwd, 'main.tf'), 'utf8')).toBe(rule);
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
  expect(existsSync(join(cwd, 'cf-waf-migrate.tf'))).toBe(false);
  expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'PLAN_INVALID']);
  expect(JSON.parse(stderr).error.message).toMatch(/^Nothing was changed: the plan has a blocker/);
});
