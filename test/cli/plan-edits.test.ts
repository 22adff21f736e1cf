import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import { parsePlan } from '../../src/plan/parse-plan';
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
  // what is planned can be applied
  if (stdout !== '') expect(parsePlan(plan)).toEqual(plan);
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

describe('an output that refers to a legacy resource', () => {
  const output = (name: string, value: string): string =>
    `output "${name}" {\n  value = ${value}\n}\n`;
  const call = 'module "m" {\n  source = "./m"\n}\n';

  it('is removed with it where it refers to nothing else, under a decision that lists it', async () => {
    const files = {
      'main.tf': block('r') + block('other'),
      'outputs.tf': output('id', 'cloudflare_waf_rule.r.id'),
    };
    const { plan } = await planIn({ ...files, 'waf.tf': declared }, [rule('r'), rule('other')]);
    expect(removedBy(plan)).toEqual([
      'main.tf cloudflare_waf_rule.r',
      'main.tf cloudflare_waf_rule.other',
      'outputs.tf output.id',
    ]);
    expect(plan.findings).toContainEqual(
      expect.objectContaining({
        ...{ code: 'OUTPUTS_REMOVED', severity: 'decision', subject: 'output.id (outputs.tf:1)' },
        remedy: expect.stringContaining('--accept OUTPUTS_REMOVED'),
      }),
    );
    expect(plan.steps.map(({ kind }) => kind)).not.toContain('manual');
  });

  it('of a module is removed together with the output of the root that reads it', async () => {
    const files = {
      'main.tf': call + output('id', 'module.m.id'),
      'm/main.tf': block('r') + output('id', '[cloudflare_waf_rule.r.id]'),
    };
    const { plan, codes } = await planIn(files, [{ ...rule('r'), module: 'module.m' }]);
    expect(removedBy(plan)).toEqual([
      'm/main.tf cloudflare_waf_rule.r',
      'm/main.tf output.id',
      'main.tf output.id',
    ]);
    expect(codes).toContain('OUTPUTS_REMOVED');
    expect(codes).not.toContain('BLOCK_REFERENCED');
  });

  it.each([
    [
      'to something else',
      `variable "x" {}\n${output('id', 'var.x ? cloudflare_waf_rule.r.id : null')}`,
    ],
    [
      'to another resource',
      `resource "null_resource" "n" {}\n${output('id', '[null_resource.n.id, cloudflare_waf_rule.r.id]')}`,
    ],
  ])('and %s stays with its block, and all other blocks are edited', async (_, text) => {
    const files = { 'main.tf': `# top\n\n${block('free')}\n${block('r')}`, 'outputs.tf': text };
    const { plan } = await planIn(files, [rule('r'), rule('free')]);
    expect(removedBy(plan)).toEqual(['main.tf cloudflare_waf_rule.free']);
    expect(plan.findings).toContainEqual(
      expect.objectContaining({ code: 'BLOCK_REFERENCED', subject: 'outputs.tf:3' }),
    );
    const step = plan.steps.find(({ kind }) => kind === 'manual');
    expect(step!.addresses).toEqual(['cloudflare_waf_rule.r']);
    expect(applyDiff(`# top\n\n${block('r')}`, step!.code!, 'main.tf')).toBe('# top\n');
    expect(applyDiff(text, step!.code!, 'outputs.tf')).not.toContain('output');
  });

  it('stays where something else reads it, and so does what its block refers to', async () => {
    const files = {
      'main.tf': `${call}locals {\n  id = module.m.id\n}\n`,
      'm/main.tf':
        block('free') +
        block('base') +
        block('r').replace(/zone_id.*/, 'zone_id = cloudflare_waf_rule.base.zone_id') +
        output('id', 'cloudflare_waf_rule.r.id'),
    };
    const held = ['free', 'base', 'r'].map((name) => ({ ...rule(name), module: 'module.m' }));
    const { plan, codes } = await planIn(files, held);
    expect(removedBy(plan)).toEqual(['m/main.tf cloudflare_waf_rule.free']);
    expect(
      plan.findings.filter(({ code }) => code === 'BLOCK_REFERENCED').map(({ subject }) => subject),
    ).toEqual(['m/main.tf:11', 'main.tf:5']);
    expect(codes).not.toContain('OUTPUTS_REMOVED');
    const step = plan.steps.find(({ kind }) => kind === 'manual');
    expect(step!.addresses).toEqual(
      ['base', 'r'].map((name) => `module.m.cloudflare_waf_rule.${name}`),
    );
  });
});

/** What the edits of a plan remove, as file and address. */
function removedBy({ steps }: Plan): string[] {
  return steps.flatMap(({ edits = [] }) =>
    edits.flatMap(({ file, remove }) => remove.map(({ address }) => `${file} ${address}`)),
  );
}

/** A text after the part of a diff that is about its file. */
function applyDiff(text: string, diff: string, file: string): string | false {
  const [part] = parsePatch(diff).filter(({ oldFileName }) => oldFileName === `a/${file}`);
  return applyPatch(text, part!);
}
