import { parseTerraformVersion } from '../../src/terraform/terraform-version';
import { parsePlan } from '../../src/plan/parse-saved-plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts/facts';
import {
  boundTo,
  configuration,
  declaredZone,
  editsOf,
  kindsOf,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  planFiles,
  removedBlocks,
  stateFacts,
  zone,
  RULESET,
  ZONE,
} from './support/state-facts';

describe('the order', () => {
  const files = () => configuration({ 'main.tf': OLD_BLOCKS });

  it.each([
    ['5.22.0', '4.52.8'],
    ['4.52.8', '3.35.0'],
  ])('no plan leads from %s back to %s', (installed, wanted) => {
    const planned = (to: string) => () =>
      planMigration([zone], [stateFacts({ installed, wanted: to })]);
    expect(planned(wanted)).toThrow(
      expect.objectContaining({
        code: 'METHOD_UNSUITABLE',
        message: expect.stringContaining(`provider ${installed[0]} cannot go back to ${wanted[0]}`),
        hint: expect.stringContaining('pass --to'),
      }),
    );
    expect(planned('5.0.0')).not.toThrow();
  });

  describe('method blocks does not work', () => {
    const gone = legacyResource(
      'cloudflare_waf_package.owasp',
      boundTo('provider.cloudflare.gone'),
    );
    const refusal = (changes: Partial<StateFacts>): unknown => {
      try {
        return planMigration([declaredZone], [stateFacts(changes)], 'blocks').states[0]!.method;
      } catch (error) {
        return error;
      }
    };
    const unsuitable = (message: string): object =>
      expect.objectContaining({
        code: 'METHOD_UNSUITABLE',
        message: `method blocks does not work${message}`,
      });

    it.each<[string, Partial<StateFacts>]>([
      ['the installed provider is unknown: pass --from', { installed: undefined }],
      ['provider 4 does not support the legacy types', { installed: '4.52.8' }],
      ['provider 5 does not support the legacy types', { wanted: '5.22.0' }],
      ['its configuration is unknown: pass --dir with a folder of .tf or .tf.json files', {}],
      [
        'Terraform 0.15.5 cannot remove resources with `removed` blocks without reading them from the legacy API, which is gone after the migration (Terraform 1.9.3 or later can)',
        { binary: { product: 'Terraform', major: 0, minor: 15, patch: 5, text: '0.15.5' } },
      ],
    ])('for a state: %s', (obstacle, changes) => {
      expect(refusal(changes)).toEqual(unsuitable(` for state main: ${obstacle}`));
    });

    it('where a provider configuration is gone, and works where it is not', async () => {
      expect(refusal({ legacyResources: [gone], configuration: await files() })).toEqual(
        unsuitable(
          ' for state main: the configuration of provider.cloudflare.gone is gone, which its resources use',
        ),
      );
      expect(refusal({ configuration: await files() })).toBe('blocks');
    });

    it.each([
      ['OpenTofu v1.9.1\non linux_amd64\n', 'OpenTofu 1.9.1'],
      ['Using terraform 1.6.6 (by .terraform-version)\nTerraform v1.6.6\n', 'Terraform 1.6.6'],
      ['Terraform v1.9.2\n', 'Terraform 1.9.2'],
      ['Terraform v1.9.3-dev\n', undefined],
      ['Terraform v1.10.0\n', undefined],
      ['Terraform v2.0.0\n', undefined],
      ['something else', undefined],
    ])('with the binary that prints %j: %s', async (printed, refused) => {
      const binary = parseTerraformVersion(printed);
      const found = refusal({ binary, configuration: await files() });
      const expected = { message: expect.stringContaining(refused ?? '') };
      expect(found).toEqual(refused === undefined ? 'blocks' : expect.objectContaining(expected));
    });
  });

  it('where a file of the name is there, the declaration is a manual step', async () => {
    const { steps } = await planFiles({ 'main.tf': OLD_BLOCKS, 'waf.tf': '# mine\n' });
    expect(steps[1]).toMatchObject({ kind: 'manual', addresses: [zone.address] });
  });

  it.each([
    ['by the plan, it has a count', {}, `${zone.address}[0]`],
    ['by a command, which writes no count, it has none', { 'waf.tf': '# mine\n' }, zone.address],
  ])('where environments share the files, and the ruleset is declared %s', async (_, more, at) => {
    const files = { 'main.tf': OLD_BLOCKS, ...more };
    const plan = await planFiles(files, { hasBackendConfig: true });
    expect(plan.zones.map(({ ruleset }) => ruleset.address)).toEqual([at]);
    expect(parsePlan(structuredClone(plan))).toEqual(plan);
  });
});

describe('what an order is chosen by', () => {
  const FIREWALL = `resource "cloudflare_filter" "f" {}
resource "cloudflare_firewall_rule" "r" {}
`;
  const files = { 'main.tf': OLD_BLOCKS, 'firewall.tf': FIREWALL };

  describe('the blocks that leave the files', () => {
    const old = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one'];

    it('are also filters and firewall rules, where the provider cannot plan with them', async () => {
      expect(removedBlocks(await planFiles(files, { wanted: '5.22.0' }))).toEqual([
        ...['cloudflare_filter.f', 'cloudflare_firewall_rule.r'],
        ...old,
      ]);
      expect(removedBlocks(await planFiles(files, { wanted: '4.52.8' }))).toEqual(old);
    });
  });

  it.each([
    ['the ruleset', 'cloudflare_ruleset', 'remove first'],
    ['another resource', 'cloudflare_record', 'import first'],
  ])('a reference of %s to a legacy block', async (_, type, order) => {
    const declared = [{ address: zone.address, zoneId: ZONE }];
    const text = `resource "${type}" "waf" {\n  depends_on = [cloudflare_waf_rule.one]\n}\n`;
    const kinds = kindsOf(await planFiles({ 'main.tf': OLD_BLOCKS + text }, { declared }));
    const isFirst = kinds.indexOf('remove') < kinds.indexOf('import');
    expect(isFirst ? 'remove first' : 'import first').toBe(order);
  });

  it('a ruleset is declared where another one is, and not where it is itself', () => {
    const declareSteps = (address: string, zoneId: string): number =>
      planMigration([zone], [stateFacts({ declared: [{ address, zoneId }] })]).steps.filter(
        ({ title }) => title.startsWith('Declare'),
      ).length;
    expect(declareSteps('cloudflare_ruleset.other', OTHER_ZONE)).toBe(1);
    expect(declareSteps(zone.address, ZONE)).toBe(0);
  });

  describe('an existing import block, with method blocks', () => {
    const planWith = async (
      id: string,
      to = zone.address,
      rulesets: StateFacts['rulesets'] = [],
    ) => {
      const block = `# mine\nimport {\n  to = ${to}\n  id = ${id}\n}\n`;
      return planFiles({ 'main.tf': OLD_BLOCKS, 'mine.tf': block }, { rulesets }, 'blocks');
    };

    it.each([
      ['another ruleset of the zone', `"zone/${ZONE}/${'b'.repeat(32)}"`],
      ['the ruleset of another zone, left by a workspace', `"zone/${OTHER_ZONE}/${RULESET}"`],
      ['what an expression says', 'local.id'],
    ])('is refused where it imports %s', async (_, id) => {
      await expect(planWith(id)).rejects.toMatchObject({
        code: 'METHOD_UNSUITABLE',
        message:
          'method blocks does not work: the import block in mine.tf:2 has another id than the ruleset',
        hint: expect.stringMatching(/^remove this block, once it is applied/),
      });
    });

    it('counts as the planned one where it has its id', async () => {
      const edits = editsOf(await planWith(`"zone/${ZONE}/${RULESET}"`));
      expect(edits.map(({ insert = '' }) => insert).join('')).not.toContain('import {');
    });

    it('is ignored where it is of another resource, or the state has the ruleset', async () => {
      const id = `"zone/${OTHER_ZONE}/${RULESET}"`;
      const owned = [{ address: zone.address, zoneId: ZONE, id: RULESET }];
      for (const plan of [
        await planWith(id, 'cloudflare_ruleset.other'),
        await planWith(id, zone.address, owned),
      ])
        expect(kindsOf(plan)).toContain('apply-blocks');
    });
  });
});
