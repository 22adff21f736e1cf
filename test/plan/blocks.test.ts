import { type Step, type Method, type Plan } from '../../src/plan/plan-schema';
import { type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  byHand,
  configuration,
  declaredZone,
  editsOf,
  OLD_BLOCKS,
  OTHER_ZONE,
  legacyResource,
  planFiles,
  stateFacts,
  RULESET,
  ZONE,
  zone,
} from './support/state-facts';

describe('method blocks', () => {
  const live = { kind: 'zone', phase: 'http_request_firewall_managed' };

  describe('method blocks', () => {
    it.each([
      ['cloudflare_waf_rule.u["x.data.y"]', 'cloudflare_waf_rule.u'],
      ['cloudflare_waf_rule.u["a.data.example.com"]', 'cloudflare_waf_rule.u'],
      ['module.data.cloudflare_waf_rule.r', 'module.data.cloudflare_waf_rule.r'],
      ['module.m["data.z"].cloudflare_waf_rule.r', 'module.m.cloudflare_waf_rule.r'],
    ])(
      'has a removed block for %s, without which Terraform would destroy it',
      async (address, from) => {
        const text = await blocksFor(legacyResource(address, { mode: 'managed' }));
        expect(text).toContain(`removed {\n  from = ${from}\n`);
      },
    );

    it.each([
      'data.cloudflare_waf_rules.r["managed"]',
      'module.data.data.cloudflare_waf_rules.r',
      'module.m["x"].data.cloudflare_waf_rules.r',
    ])('has none for the data source %s, which Terraform reads anew', async (address) => {
      expect(await blocksFor(legacyResource(address, { mode: 'data' }))).not.toContain('removed {');
    });
  });

  describe('method blocks also has removed blocks for what the state of another environment may have', () => {
    it.each([
      [
        'a block that has no instance here',
        {
          'main.tf': `${OLD_BLOCKS}resource "cloudflare_waf_rule" "strict" {\n  count = var.strict ? 1 : 0\n}\n`,
        },
        ['cloudflare_waf_rule.strict'],
      ],
      [
        'one of a module, by each call of it, and no data source',
        {
          'main.tf': `${OLD_BLOCKS}module "m" {\n  source = "./m"\n}\nmodule "n" {\n  source = "./m"\n}\n`,
          'm/main.tf':
            'resource "cloudflare_waf_rule" "r" {\n  count = 0\n}\ndata "cloudflare_waf_rules" "all" {\n}\n',
        },
        ['module.m.cloudflare_waf_rule.r', 'module.n.cloudflare_waf_rule.r'],
      ],
    ])('%s', async (_, files, further) => {
      const held = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one'];
      const plan = await planFiles(files, {}, 'blocks');
      const text = editsOf(plan)
        .map(({ insert = '' }) => insert)
        .join('');
      const removed = [...text.matchAll(/removed \{\n {2}from = (.*)\n/g)].map(([, from]) => from);
      expect(removed).toEqual([...held, ...further]);
      // in this state there is nothing of it to forget
      const applied = plan.steps.find(({ kind }) => kind === 'apply-blocks')!;
      expect(applied.addresses).toEqual(stateFacts().legacyResources.map(({ address }) => address));
    });
  });

  it('method blocks is refused where something refers to a block', async () => {
    const values = 'cloudflare_waf_rule.one["a"].mode, cloudflare_waf_package.owasp.id, var.x';
    const output = `output "mode" {\n  value = [${values}]\n}\n`;
    const planning = planFiles({ 'main.tf': OLD_BLOCKS, 'outputs.tf': output }, {}, 'blocks');
    await expect(planning).rejects.toMatchObject({
      code: 'METHOD_UNSUITABLE',
      message:
        'method blocks does not work: these blocks must be removed by hand: cloudflare_waf_package.owasp, cloudflare_waf_rule.one, because of output.mode (outputs.tf:2)',
      hint: expect.stringMatching(/^leave out --method; or change/),
    });
  });

  it('names no output that the edits remove once nothing else refers to the blocks', async () => {
    const value = 'cloudflare_waf_rule.one["a"].mode';
    const files = {
      'main.tf': `${OLD_BLOCKS}resource "terraform_data" "a" {\n  input = ${value}\n}\n`,
      'outputs.tf': `output "mode" {\n  value = ${value}\n}\n`,
    };
    await expect(planFiles(files, {}, 'blocks')).rejects.toMatchObject({
      message: expect.stringMatching(/because of terraform_data\.a \(main\.tf:\d+\)$/),
    });
  });

  async function blocksFor(resource: ReturnType<typeof legacyResource>): Promise<string> {
    const plan = await planFiles({ 'main.tf': '' }, { legacyResources: [resource] }, 'blocks');
    return editsOf(plan).find(({ file }) => file === 'cf-waf-migrate.tf')?.insert ?? '';
  }

  describe('where the configuration holds import and removed blocks already', () => {
    const removed = (from: string, destroy: boolean): string =>
      `removed {\n  from = ${from}\n\n  lifecycle {\n    destroy = ${destroy}\n  }\n}\n`;
    const imported = `import {\n  to = cloudflare_ruleset.waf\n  id = "zone/${ZONE}/${RULESET}"\n}\n`;
    const old = ['package.owasp', 'rule.one'].map((name) => `cloudflare_waf_${name}`);
    const all = [imported, ...old.map((address) => removed(address, false))].join('\n');
    const written = async (files: Record<string, string>) =>
      editsOf(await planFiles(files, {}, 'blocks'))
        .filter(({ file }) => file.startsWith('cf-waf'))
        .map(({ file, sha256, insert }) => ({ file, isNew: sha256 === null, insert }));

    it.each([
      ['nothing', {}, 'cf-waf-migrate.tf', true, all],
      ['its own', { 'cf-waf-migrate.tf': all }, 'cf-waf-migrate.tf', true, all],
      ['an empty file', { 'cf-waf-migrate.tf': '\n' }, 'cf-waf-migrate-2.tf', true, all],
      ['something else', { 'cf-waf-migrate.tf': 'locals {}\n' }, 'cf-waf-migrate-2.tf', true, all],
      [
        'another block with its address',
        { 'cf-waf-migrate.tf': `moved {\n  from = a.b\n  to   = ${zone.address}\n}\n` },
        ...['cf-waf-migrate-2.tf', true, all],
      ],
      [
        'some of them',
        { 'cf-waf-migrate.tf': `${imported}\n${removed(old[0]!, false)}` },
        ...['cf-waf-migrate-2.tf', true, removed(old[1]!, false)],
      ],
    ] as const)(
      '%s: what is missing goes to a separate file',
      async (_, there, file, isNew, text) => {
        const edits = await written({ 'main.tf': OLD_BLOCKS, ...there });
        expect(edits).toEqual([{ file, isNew, insert: text }]);
      },
    );

    it('nothing is written where all of them are there', async () => {
      expect(await written({ 'main.tf': OLD_BLOCKS, 'mine.tf': `# mine\n${all}` })).toEqual([]);
    });

    it('nothing is edited where all of these blocks are there', async () => {
      const files = await configuration({ 'mine.tf': `# mine\n${all}` });
      const declared = [{ address: zone.address, zoneId: ZONE }];
      const state = stateFacts({ configuration: files, declared });
      const { steps } = planMigration([zone], [state], 'blocks');
      expect(steps.map(({ kind }) => kind)).toEqual(['backup', 'apply-blocks', 'check']);
    });

    it.each([
      ['that keeps the resource', removed(old[1]!, false), []],
      ['that keeps the module around', removed('module.m', false), [old[1]]],
      ['that destroys', removed(old[1]!, true), [old[1], 'module.m.cloudflare_waf_rule.r']],
    ])('a block that is gone is a hazard, but for a removed block %s', async (_, text, named) => {
      const files = { 'main.tf': `${text}${named.length === 0 ? removed('module.m', false) : ''}` };
      const legacyResources = [old[1]!, 'module.m.cloudflare_waf_rule.r'].map((one) =>
        legacyResource(one),
      );
      const { findings } = await planFiles(files, { legacyResources });
      const gone = findings.filter(({ code }) => code === 'BLOCK_ALREADY_GONE');
      expect(gone.flatMap(({ message }) => message.split(': ')[1]!.split(', '))).toEqual(named);
    });
  });

  it.each([
    ['its file holds something else', declaredZone],
    ['it was read, and has no exact text', { ...zone, live }],
    ['its id alone is known', zone],
  ])('a ruleset that the plan cannot declare is refused: %s', async (_, one) => {
    const files = await configuration({ 'main.tf': OLD_BLOCKS, 'waf.tf': 'locals {}\n' });
    const plan = () => planMigration([one], [stateFacts({ configuration: files })], 'blocks');
    expect(plan).toThrow(
      expect.objectContaining({
        code: 'METHOD_UNSUITABLE',
        message: expect.stringMatching(/the plan cannot declare cloudflare_ruleset\.waf$/),
        hint: expect.stringMatching(/--ruleset-id.*--address.*generate --source live$/),
      }),
    );
  });

  describe('the step that declares a ruleset in a CDKTF stack', () => {
    it.each([
      ['infra/cdktf.out/stacks/edge', 'infra/constructs'],
      ['cdktf.out/stacks/edge', 'constructs'],
      ['build/tf/stacks/edge', 'constructs'],
      ['edge', 'constructs'],
      ['infra/cdktf.out/stacks/edge/copy', 'constructs'],
      ['.', '../../../constructs'],
    ])('of %s prints the command for a construct in %s', async (dir, out) => {
      const file = dir === '.' ? 'cdk.tf.json' : `${dir}/cdk.tf.json`;
      const files = await configuration({ [file]: '{}' }, dir);
      const { steps } = planMigration([zone], [stateFacts({ dir, configuration: files })]);
      const [step, ...more] = steps.filter(({ title }) => title.startsWith('Declare the ruleset'));
      const { argv } = step!.runs![0]!;
      expect(argv.slice(argv.indexOf('--format'))).toEqual([
        ...['--format', 'construct', '--address', zone.address, '--out', out],
      ]);
      expect([step!.why, more]).toEqual([expect.stringContaining(`to the stack of ${dir}, `), []]);
    });
  });

  it('a CDKTF stack changes its provider by its bindings, not in what is generated', async () => {
    const files = await configuration({ 'cdk.tf.json': '{}' });
    const state = stateFacts({ wanted: '5.22.0', configuration: files });
    const { steps } = planMigration([zone], [state]);
    const step = steps.find(({ kind }) => kind === 'upgrade-provider');
    expect(step!.title).toContain(
      'Use the bindings of provider 5 (@cdktf/provider-cloudflare@13.9.1 in package.json',
    );
    expect(step!.why).toContain("required_providers.cloudflare.version', '5.22.0')");
  });

  it.each([
    ['a CDKTF stack', 'cdk.tf.json', ['upgrade-provider', 'manual']],
    ['any other configuration', 'main.tf.json', ['manual', 'upgrade-provider']],
  ])('%s declares the ruleset with what it compiles with', async (_, file, kinds) => {
    const files = await configuration({ [file]: '{}' });
    const state = stateFacts({ wanted: '5.22.0', configuration: files });
    const { steps } = planMigration([zone], [state]);
    const isOf = ({ kind, title }: Step): boolean =>
      kind === 'upgrade-provider' || title.startsWith('Declare');
    expect(steps.filter(isOf).map(({ kind }) => kind)).toEqual(kinds);
    expect(steps.at(-2)!.kind).toBe('import');
  });

  it('a CDKTF stack keeps the constructs of other zones, whose resources stay in the state', async () => {
    const construct = { '//': { metadata: { path: 'edge/one' } } };
    const stack = { resource: { cloudflare_waf_rule: { one: construct } } };
    const files = await configuration({ 'cdk.tf.json': JSON.stringify(stack) });
    const own = legacyResource('cloudflare_waf_rule.one');
    const other = legacyResource('cloudflare_waf_rule.other', { zoneId: OTHER_ZONE });
    const whyOf = (...legacyResources: StateFacts['legacyResources']) =>
      planMigration([zone], [stateFacts({ legacyResources, configuration: files })]).steps.find(
        ({ title }) => title.startsWith('Remove the legacy constructs'),
      )?.why;
    expect(whyOf(own, other)).toContain('Keep those of other zones.');
    expect(whyOf(own)).not.toContain('other zones');
  });

  it('method blocks in a CDKTF stack is one manual step, so that no plan in between destroys anything', async () => {
    const construct = { one: { '//': { metadata: { path: 'edge/one' } } } };
    const stack = {
      resource: { cloudflare_waf_rule: construct },
      removed: [{ from: 'cloudflare_filter.office', lifecycle: { destroy: false } }],
    };
    const files = await configuration({ 'cdk.tf.json': JSON.stringify(stack) });
    const old = legacyResource('cloudflare_waf_rule.one');
    const state = stateFacts({ legacyResources: [old], configuration: files });
    const { steps } = planMigration([zone], [state], 'blocks');
    expect(steps.map(({ kind }) => kind)).toEqual(['backup', 'manual', 'apply-blocks', 'check']);
    const [, step] = steps;
    expect(step!.addresses).toEqual([
      'edge/one',
      `import ${zone.address}`,
      'removed cloudflare_waf_rule.one',
    ]);
    expect(step!.runs).toHaveLength(1);
    expect(step!.code).toContain('"from": "cloudflare_filter.office"');
    const declared = [{ address: zone.address, zoneId: ZONE }];
    const again = planMigration([zone], [{ ...state, declared }], 'blocks');
    expect(again.steps[1]).not.toHaveProperty('runs');
  });

  it.each([undefined, { destroy: true }])(
    'writes no code with a removed block of lifecycle %j, because it would destroy',
    async (lifecycle) => {
      const construct = { one: { '//': { metadata: { path: 'edge/one' } } } };
      const stack = {
        resource: { cloudflare_waf_rule: construct },
        removed: [{ from: 'cloudflare_waf_rule.one' }, { from: 'a_filter.office["x"]', lifecycle }],
      };
      const files = await configuration({ 'cdk.tf.json': JSON.stringify(stack) });
      const old = legacyResource('cloudflare_waf_rule.one');
      const state = stateFacts({ legacyResources: [old], configuration: files });
      const { steps } = planMigration([zone], [state], 'blocks');
      expect(steps[1]?.code).toContain('cloudflare_waf_rule.one');
      expect(steps[1]?.code).not.toContain('a_filter.office');
    },
  );
});

describe('generated blocks', () => {
  /** A block as CDKTF makes it of a construct. */
  const made = (name: string): object => ({ '//': { metadata: { path: `edge/${name}` } } });

  /** The plan of a stack with these files, whose state holds these old resources. */
  async function planOf(
    files: Readonly<Record<string, string>>,
    addresses: readonly string[],
    method: Method = 'commands',
  ): Promise<Plan> {
    const legacyResources = addresses.map((address) => legacyResource(address));
    return planFiles(files, { legacyResources, dir: 'cdktf.out/stacks/edge' }, method);
  }

  /** What the user removes from the program. */
  const inProgram = (plan: Plan): readonly string[] =>
    byHand(plan)
      .flat()
      .filter((address) => !/^(?:import|removed) |^cloudflare_ruleset/.test(address));
  const jsonStack = (content: object): Record<string, string> => ({
    'cdktf.out/stacks/edge/cdk.tf.json': JSON.stringify(content),
  });

  describe('the copy that CDKTF makes of a module', () => {
    const copy = 'cdktf.out/stacks/edge/assets/__cdktf_module_asset_26CE565C/29/main.tf';
    const source = './assets/__cdktf_module_asset_26CE565C/29';
    const block = 'resource "cloudflare_waf_rule" "off" {}\n';
    const files = {
      ...jsonStack({
        module: { waf: { source } },
        resource: { cloudflare_waf_package: { owasp: made('owasp') } },
      }),
      [copy]: block,
    };
    const inCopy = 'module.waf.cloudflare_waf_rule.off';
    const CODE = 'BLOCK_OF_SEVERAL_STATES';

    it.each(['commands', 'blocks'] as const)(
      'is not edited with method %s: its blocks are removed from the program',
      async (method) => {
        const plan = await planOf(files, ['cloudflare_waf_package.owasp', inCopy], method);
        expect(editsOf(plan)).toEqual([]);
        expect(inProgram(plan)).toEqual(['edge/owasp', inCopy]);
        expect(plan.findings.find(({ code }) => code === CODE)).toMatchObject({
          ...{ severity: 'decision', subject: copy },
          message: expect.stringMatching(/^CDKTF copies the file from a module, and other/),
        });
      },
    );

    it.each(['commands', 'blocks'] as const)(
      'differs from a module of the project, which the user changes with the program, method %s',
      async (method) => {
        const called = {
          ...jsonStack({ module: { waf: { source: '../../../modules/waf' } } }),
          'modules/waf/main.tf': block,
        };
        const plan = await planOf(called, [inCopy], method);
        expect(editsOf(plan)).toEqual([]);
        expect(inProgram(plan)).toEqual([inCopy]);
        expect(plan.findings.find(({ code }) => code === CODE)).toMatchObject({
          ...{ subject: 'modules/waf/main.tf' },
          message: expect.stringMatching(/^the file is outside the folder of state main, and/),
        });
      },
    );
  });
});
