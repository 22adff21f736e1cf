import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plan } from '../../src/plan/plan';
import { RULESET, ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const resource = (type: string, name: string, attributes: object): object => ({
  ...{ mode: 'managed', type, name, provider },
  instances: [{ schema_version: 0, attributes: { zone_id: ZONE, ...attributes } }],
});
const rule = (name: string): object => resource('cloudflare_waf_rule', name, { id: '100000' });
const ruleset = resource('cloudflare_ruleset', 'waf', {
  ...{ id: RULESET, phase: 'http_request_firewall_managed' },
});
const block = (name: string): string =>
  `resource "cloudflare_waf_rule" "${name}" {\n  zone_id = "${ZONE}"\n}\n`;
const declared = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  name    = "x"\n  kind    = "zone"\n  phase   = "http_request_firewall_managed"\n}\n`;

interface Planned {
  readonly plan: Plan;
  readonly code: number;
  readonly stderr: string;
  /** The text of a file afterwards; undefined where it does not exist. */
  readonly read: (file: string) => string | undefined;
  readonly codes: readonly string[];
}

/** Plans a folder with these files, whose state holds these resources. */
async function planIn(
  files: Record<string, string>,
  resources: readonly object[],
  ...args: string[]
): Promise<Planned> {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const head = { version: 4, terraform_version: '1.11.4', serial: 3, lineage: 'a-b' };
  writeFileSync(join(cwd, 'state.json'), JSON.stringify({ ...head, outputs: {}, resources }));
  const fake = fakeTerraform(cwd, `case "$*" in 'state pull') cat state.json ;; esac`);
  const { stdout, stderr, code } = await runCli(
    ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--dir', '.', '--json', ...args],
    { cwd, environment: { PATH: fake.searchPath } },
  );
  const plan: Plan = JSON.parse(stdout || '{"findings":[]}');
  const read = (file: string): string | undefined =>
    existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), 'utf8') : undefined;
  return { plan, code, stderr, read, codes: plan.findings.map((one) => one.code) };
}

describe('plan --method blocks --write on a state without legacy resources', () => {
  const blocks = ['--method', 'blocks', '--write'];

  it.each([
    ['and without the ruleset', [], true],
    ['that holds the ruleset', [ruleset], false],
  ])('%s writes removed blocks for all declared ones', async (_, resources, isImported) => {
    const files = { 'main.tf': block('r'), 'waf.tf': declared };
    const { plan, read } = await planIn(files, resources, '--from', '3.35.0', ...blocks);
    expect(plan.states[0]!.method).toBe('blocks');
    expect(read('main.tf')).toBe('');
    const written = read('cf-waf-migrate.tf');
    expect(written).toContain(
      'removed {\n  from = cloudflare_waf_rule.r\n\n  lifecycle {\n    destroy = false\n',
    );
    expect(written!.includes('import {\n')).toBe(isImported);
  });

  it('is refused under a provider that cannot forget them, and writes nothing', async () => {
    const files = { 'main.tf': block('r'), 'waf.tf': declared };
    const { code, stderr, read } = await planIn(files, [], '--from', '5.22.0', ...blocks);
    expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'METHOD_UNSUITABLE']);
    expect([read('main.tf'), read('cf-waf-migrate.tf')]).toEqual([block('r'), undefined]);
  });
});

it('method blocks with another major is refused with the two steps that lead there', async () => {
  const args = ['--from', '3.35.0', '--to', '4.52.8', '--method', 'blocks'];
  const { stderr } = await planIn({ 'main.tf': block('r') }, [rule('r')], ...args);
  const { error } = JSON.parse(stderr);
  expect(error.code).toBe('METHOD_UNSUITABLE');
  expect(error.hint).toMatch(/--method blocks without --to.*plan --to 4\.52\.8$/);
});

it('the edit that removes import and removed blocks deletes the file that held nothing else', async () => {
  const own = `import {\n  to = cloudflare_ruleset.waf\n  id = "zone/${ZONE}/${RULESET}"\n}\n`;
  const files = {
    'cf-waf-migrate.tf': own,
    'mine.tf': own.replace('waf', 'other'),
    'waf.tf': declared,
  };
  const args = ['--from', '3.35.0', '--method', 'blocks', '--write'];
  const { read, plan } = await planIn(files, [ruleset], ...args);
  expect(read('cf-waf-migrate.tf')).toBeUndefined();
  expect(plan.steps[0]!.edits).toMatchObject([{ file: 'cf-waf-migrate.tf', sha256After: null }]);
});
