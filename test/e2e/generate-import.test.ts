import fc from 'fast-check';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FormatName } from '../../src/core/format-names';
import { generateStack } from '../../src/generate/generate-stack';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { liveRuleset, type RulesetAnswer } from '../generate/support/arbitrary-ruleset';
import { corpus } from '../generate/support/corpus';
import { canonicalScenario, canonicalZone } from '../support/canonical';
import { inLab, type Lab } from '../support/lab';
import { filesOf, writeBeside } from '../support/write-stack';

type Major = 3 | 4 | 5;
const combinations: [Major, FormatName][] = [
  [5, 'cdktf'],
  [5, 'hcl'],
  // one format is enough for the other cases: test/generate compares the formats
  [4, 'hcl'],
  [3, 'hcl'],
];
const count = 12 * Number(process.env['FC_RUNS'] ?? 1);

interface Zone {
  id: string;
  name: string;
  rulesets: RulesetAnswer[];
}

const canonical: Zone = { id: canonicalZone, name: 'canonical.example.com', rulesets: [] };

/** Zones that have migrated, each with one of these entry points. */
function zonesWith(rulesets: RulesetAnswer[]): Zone[] {
  return rulesets.map((ruleset, index) => ({
    id: index.toString(16).padStart(32, '2'),
    name: `zone-${index}.example.com`,
    plan: 'enterprise',
    migration: { state: 'complete' },
    rulesets: [{ ...ruleset, id: index.toString(16).padStart(32, 'c'), version: '1' }],
  }));
}

/** The stack of a zone from the response of the API. */
async function generate(
  lab: Lab,
  zone: Zone,
  options: [Major, FormatName],
  resourceName: string,
  modulePath = '',
) {
  const source = parseRuleset(await readEntryPoint(lab, zone.id));
  const [provider, format] = options;
  return generateStack({ zone, source, provider, format, resourceName, modulePath });
}

/** The response of the API with the entry point of a zone. */
async function readEntryPoint(lab: Lab, zoneId: string): Promise<any> {
  const path = `zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const answer = await fetch(`${lab.emulator.baseUrl}/${path}`, {
    headers: { authorization: `Bearer ${lab.emulator.credentials.token}` },
  });
  return answer.json();
}

describe.each(combinations)('for provider %s, generated %s', (major, format) => {
  it('[S117] is valid, imports with the printed id without a change, and plans empty, for any ruleset', async () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const random = fc.sample(liveRuleset, { numRuns: count, seed });
    const rulesets = Object.entries(corpus)
      // Terraform needs long for it in every format: test/generate/round-trip.test.ts tests all formats
      .filter(([name]) => format === 'hcl' || name !== 'a thousand overrides')
      .map(([, ruleset]) => ruleset);
    const zones = zonesWith([...rulesets, ...random]);
    await inLab({ major, scenario: { name: 'random', zones } }, async (lab) => {
      const imports: object[] = [];
      for (const [index, zone] of zones.entries()) {
        const name = `zone_${index}`;
        const stack = await generate(lab, zone, [major, format], name);
        expect(stack.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
        for (const { path, text } of filesOf(stack)) writeBeside(lab, path, text, name);
        imports.push({ to: stack.address, id: stack.importId });
      }
      lab.write('imports.tf.json', { import: imports });
      const first = await lab.plan('-out=imports.tfplan');
      expect({ seed, text: first.text }).toEqual({
        seed,
        text: expect.stringContaining(
          `Plan: ${zones.length} to import, 0 to add, 0 to change, 0 to destroy`,
        ),
      });
      // the state does not depend on the format
      if (format === 'hcl') {
        expect(await lab.terraform('apply', 'imports.tfplan')).toMatchObject({ code: 0 });
        const second = await lab.plan();
        const text = expect.stringContaining('No changes.');
        expect({ seed, ...second }).toEqual({ seed, outcome: 'empty', text });
      }
      expect(lab.sent()).toEqual([]);
    });
  });
});

describe('for provider 5, in a module, generated tfjson', () => {
  const [major, format]: [Major, FormatName] = [5, 'tfjson'];
  const key = '"it\'s \\"eu\\" $${x}"';
  it.each([
    ['module.waf.', ''],
    [`module.waf[${key}].`, `for_each = toset([${key}])`],
    ['module.waf[1].', 'count = 2'],
  ])('%s is imported by the command in its head, in a shell', async (modulePath, repeat) => {
    await inLab({ major, scenario: 'canonical' }, async (lab) => {
      const stack = await generate(lab, canonical, [major, format], 'x', modulePath);
      mkdirSync(join(lab.dir, 'waf'));
      for (const { path, text } of filesOf(stack)) lab.write(`waf/${path}`, text);
      lab.write('main.tf', `module "waf" {\n  source = "./waf"\n  ${repeat}\n}\n`);
      expect(await lab.terraform('init')).toMatchObject({ code: 0, stderr: '' });
      const head = String(JSON.parse(stack.resourceFile.text)['//']);
      const [typed] = /terraform import .*/.exec(head) ?? [];
      expect(await lab.run('sh', ['-c', typed!])).toMatchObject({ code: 0, stderr: '' });
      expect((await lab.terraform('state', 'list')).stdout).toBe(`${stack.address}\n`);
      const alone = await lab.plan(`-target=${stack.address}`);
      expect(alone).toMatchObject({ outcome: 'empty' });
    });
  });
});

it.each([5, 4] as const)(
  'for provider %s, a change of one override keeps the id of every rule, because refs are explicit',
  (major) =>
    inLab({ major, scenario: canonicalScenario() }, async (lab) => {
      const stack = await generate(lab, canonical, [major, 'hcl'], 'managed_rules');
      const change = (threshold: string) => {
        for (const { path, text } of filesOf(stack)) {
          lab.write(path, text.replace(/(score_threshold(?: =|:) )25/, `$1${threshold}`));
        }
      };
      change('25');
      expect(await lab.terraform('init')).toMatchObject({ code: 0, stderr: '' });
      await lab.terraform('import', stack.address, stack.importId!);
      const before = await rulesOf(lab);

      change('60');
      expect(await lab.plan()).toMatchObject({ outcome: 'diff' });
      expect(await lab.terraform('apply', '-auto-approve')).toMatchObject({ code: 0 });

      const after = await rulesOf(lab);
      expect(after.map(({ id, ref }) => [id, ref])).toEqual(before.map(({ id, ref }) => [id, ref]));
      expect(JSON.stringify(after)).toContain('"score_threshold":60');
      expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    }),
);

/** The live rules of the canonical entry point. */
const rulesOf = async (lab: Lab): Promise<{ id: string; ref: string }[]> =>
  (await readEntryPoint(lab, canonicalZone)).result.rules;

it.each([
  [5, 'hcl'],
  [3, 'tfjson'],
] as [Major, FormatName][])(
  'for provider %s, --import-block of %s imports, and changes nothing',
  (major, format) =>
    inLab({ major, scenario: 'canonical' }, async (lab) => {
      const flags = ['--format', format, '--provider', String(major), '--import-block'];
      const ran = await lab.cli(['generate', '--zone', canonicalZone, ...flags]);
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toContain('Terraform imports it by its import block.');
      expect(await lab.terraform('init')).toMatchObject({ code: 0 });
      const { text } = await lab.plan();
      expect(text).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy');
    }),
);
