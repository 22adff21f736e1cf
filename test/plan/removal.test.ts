import { type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  byHand,
  codesOf,
  configuration,
  declaredZone,
  legacyResource,
  OLD_BLOCKS,
  OTHER_ZONE,
  planFiles,
  removedBlocks,
  stateFacts,
  ZONE,
  zone,
} from './support/state-facts';

const OUTPUT =
  'output "o" {\n  value = [var.x, cloudflare_waf_package.owasp.id, cloudflare_waf_rule.one]\n}\n';
const call = (name: string, source: string): string =>
  `module "${name}" {\n  source = "${source}"\n}\n`;
const holding = (...addresses: readonly string[]): Partial<StateFacts> => ({
  legacyResources: addresses.map((address) => legacyResource(address)),
});

describe('legacy blocks that stay because a reference would break are a manual step', () => {
  const OLD = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one'];

  it('where the state has none of their resources', async () => {
    const plan = await planFiles({ 'main.tf': OLD_BLOCKS + OUTPUT }, holding());
    expect(byHand(plan)).toEqual([OLD]);
  });

  it('by each address of their module', async () => {
    const files = {
      'main.tf': call('a', './waf') + call('b', './waf'),
      'waf/main.tf': OLD_BLOCKS + OUTPUT,
    };
    expect(byHand(await planFiles(files, holding()))).toEqual([
      OLD.flatMap((address) => [`module.a.${address}`, `module.b.${address}`]),
    ]);
  });

  it('once, also where the state has some of them', async () => {
    const changes = { installed: '5.22.0', ...holding('cloudflare_waf_rule.one["a"]') };
    const plan = await planFiles({ 'main.tf': OLD_BLOCKS + OUTPUT }, changes);
    expect(byHand(plan)).toEqual([OLD.toReversed()]);
  });
});

describe('a legacy block of a zone that is not planned', () => {
  const block = (zone: string) =>
    `resource "cloudflare_waf_rule" "other" {\n  zone_id = "${zone}"\n}\n`;

  it.each([
    ['commands', holding('cloudflare_waf_package.owasp')],
    ['blocks', holding('cloudflare_waf_package.owasp')],
    ['commands', holding()],
    ['blocks', holding()],
  ] as const)('stays, and stops the plan (method %s)', async (method, held) => {
    const planned = async (zone: string) => {
      const plan = await planFiles({ 'main.tf': OLD_BLOCKS + block(zone) }, held, method);
      const blocker = plan.findings.find(({ severity }) => severity === 'blocker');
      return [removedBlocks(plan).includes('cloudflare_waf_rule.other'), blocker?.code];
    };
    expect(await planned(OTHER_ZONE)).toEqual([false, 'LEGACY_BLOCKS_DECLARED']);
    const [isRemoved] = await planned(ZONE);
    expect(isRemoved).toBe(true);
  });
});

it.each([
  ['locals {\n  zones = { a = "ZONE", b = "OTHER" }\n}\n', 'local.zones', 'each.value'],
  ['', 'toset(["ZONE", "OTHER",])', 'each.value'],
  ['', '{ a = "ZONE", b = "OTHER" }', 'each.value'],
  ['', '{ "ZONE" = "a", "OTHER" = "b" }', 'each.key'],
  ['locals {\n  zones = ["ZONE", "OTHER"]\n}\n', 'toset(local.zones)', 'each.key'],
  ['', '{ a = { id = "ZONE" }, b = { id = "OTHER" } }', 'each.value.id'],
])(
  'a block to remove that names another zone is a decision (%s %s)',
  async (locals, each, zone_id) => {
    const text = `${locals}resource "cloudflare_waf_rule" "r" {\n  for_each = ${each}\n  zone_id  = ${zone_id}\n}\n`;
    const files = { 'main.tf': text.replaceAll('ZONE', ZONE).replaceAll('OTHER', OTHER_ZONE) };
    const { findings } = await planFiles(files, holding('cloudflare_waf_rule.r["a"]'));
    expect(findings).toMatchObject([
      {
        ...{ code: 'OTHER_ZONES', severity: 'decision' },
        remedy: `plan them too. Finish a zone that is not migrated first:\ncf-waf-migrate plan --zone ${ZONE} ${OTHER_ZONE}`,
      },
    ]);
  },
);

it.each([
  ['length(local.zones)', ['OTHER_ZONES']],
  // the count can leave out a zone
  ['1', []],
])('a module with count = %s that names another zone in its list', async (count, codes) => {
  const list = `locals {\n  zones = ["${ZONE}", "${OTHER_ZONE}"]\n}\n`;
  const files = {
    'main.tf': `${list}module "waf" {\n  source = "./waf"\n  count = ${count}\n  zone = local.zones[count.index]\n}\n`,
    'waf/main.tf': `variable "zone" {}\nresource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n`,
  };
  const { findings } = await planFiles(files, holding('module.waf[0].cloudflare_waf_rule.r'));
  expect(findings.map(({ code }) => code)).toEqual(codes);
});

it('a zone of a block to remove whose ruleset the state has is no decision', async () => {
  const text = `resource "cloudflare_waf_rule" "r" {\n  for_each = { a = "${ZONE}", b = "${OTHER_ZONE}" }\n  zone_id  = each.value\n}\n`;
  const imported = {
    ...{ address: 'cloudflare_ruleset.b', id: 'b'.repeat(32), zoneId: OTHER_ZONE },
    phase: 'http_request_firewall_managed',
  };
  const held = { ...holding('cloudflare_waf_rule.r["a"]'), rulesets: [imported] };
  const { findings } = await planFiles({ 'main.tf': text }, held);
  expect(findings.map(({ code }) => code)).not.toContain('OTHER_ZONES');
});

describe('a block of a module', () => {
  const objects = `{ a = { id = "${ZONE}", rules = ["1"] }, b = { id = "${OTHER_ZONE}", rules = [] } }`;
  const locals = `locals {\n  zones = ${objects}\n}\n`;
  const callOf = (name: string, args: string) =>
    `module "${name}" {\n  source = "./waf"\n${args}}\n`;
  const all = '  for_each = local.zones\n  zone = each.value.id\n  rules = each.value.rules\n';
  const waf = (more = '') =>
    `variable "zone" {}\nvariable "rules" {}\nresource "cloudflare_waf_rule" "r" {\n${more}  zone_id = var.zone\n}\n`;
  const one = (name: string, zoneId: string) => callOf(name, `  zone = "${zoneId}"\n`);

  it.each([
    ['a for_each of objects', locals + callOf('m', all), waf(), ['OTHER_ZONES']],
    ['two calls', one('m', ZONE) + one('n', OTHER_ZONE), waf(), ['OTHER_ZONES']],
    [
      'calls of which one has no instance',
      locals + callOf('m', all),
      waf('  for_each = toset(var.rules)\n'),
      [],
    ],
    ['a count, which can be 0', one('m', ZONE) + one('n', OTHER_ZONE), waf('  count = 1\n'), []],
    ['a circle', `locals {\n  zones = local.zones\n}\n${callOf('m', all)}`, waf(), []],
  ])('that is removed names the other zones of its calls: %s', async (_, main, module, codes) => {
    const held = holding('module.m.cloudflare_waf_rule.r');
    const plan = await planFiles({ 'main.tf': main, 'waf/main.tf': module }, held);
    expect(plan.findings.map(({ code }) => code)).toEqual(codes);
  });
});

it('a zone whose resources the state has lost is imported, and its blocks are removed', async () => {
  const text = `resource "cloudflare_waf_rule" "other" {\n  zone_id = "${OTHER_ZONE}"\n}\n`;
  const read = await configuration({ 'main.tf': OLD_BLOCKS + text });
  const state = stateFacts({ configuration: read });
  const other = { ...zone, zoneId: OTHER_ZONE, address: 'cloudflare_ruleset.other' };
  const plan = planMigration([declaredZone, other], [state], 'commands');
  expect(removedBlocks(plan)).toContain('cloudflare_waf_rule.other');
  expect(plan.findings).toMatchObject([{ code: 'LEGACY_RESOURCES_GONE', severity: 'decision' }]);
  expect(plan.zones.map(({ zoneId }) => zoneId)).toEqual([ZONE, OTHER_ZONE]);
});

it('a manual step names the file and line of each block, or of the call of its module', async () => {
  const held = ['cloudflare_waf_package.owasp', 'module.m.module.far.cloudflare_waf_rule.r'];
  const files = {
    'infra/main.tf': `\n${OLD_BLOCKS}${call('m', './m')}`,
    'infra/m/main.tf': `\n\n${call('far', 'example/far/cloudflare')}`,
    'infra/outputs.tf': OUTPUT,
  };
  const changes = { dir: 'infra', ...holding(...held, 'cloudflare_waf_group.gone') };
  const { steps, findings } = await planFiles(files, changes);
  expect(steps.find(({ kind }) => kind === 'manual')).toMatchObject({
    addresses: held,
    places: { [held[0]!]: 'infra/main.tf:2', [held[1]!]: 'infra/m/main.tf:3' },
  });
  expect(findings.find(({ code }) => code === 'MODULE_NOT_EDITED')).toMatchObject({
    message: expect.stringContaining(`: ${held[1]} (infra/m/main.tf:3)`),
  });
});

describe('a block counts as in a module that is not read', () => {
  const files = {
    'main.tf': call('waf', './waf') + call('far', 'example/far/cloudflare'),
    'waf/main.tf': call('waf', 'example/waf/cloudflare'),
  };

  it.each([
    'module.far.cloudflare_waf_rule.r',
    'module.far.module.inner.cloudflare_waf_rule.r',
    'module.waf.module.waf.cloudflare_waf_rule.r',
  ])('for %s', async (address) => {
    const plan = await planFiles(files, holding(address));
    expect([codesOf(plan), byHand(plan)]).toEqual([['MODULE_NOT_EDITED'], [[address]]]);
  });

  it.each(['module.waf.cloudflare_waf_rule.r', 'module.inner.module.far.cloudflare_waf_rule.r'])(
    'and not for %s, of which no block is left',
    async (address) => {
      const plan = await planFiles(files, holding(address));
      expect([codesOf(plan), byHand(plan)]).toEqual([['BLOCK_ALREADY_GONE'], []]);
    },
  );
});

it('a legacy data source without a block is not reported: nothing is destroyed', async () => {
  const plan = await planFiles({ 'main.tf': '\n' }, holding('data.cloudflare_waf_rules.all'));
  expect(plan.findings).toEqual([]);
});

describe('a block without resources in the state', () => {
  const rule = (name: string, zone: string, more = '') =>
    `resource "cloudflare_waf_rule" "${name}" {\n  zone_id = ${zone}\n${more}}\n`;
  const held = rule('held', 'var.zone');

  /** What a plan removes from the files, and what it reports to stay. */
  async function planned(files: Record<string, string>, changes: Partial<StateFacts> = {}) {
    const plan = await planFiles(files, { ...holding('cloudflare_waf_rule.held'), ...changes });
    const said = plan.findings.find(({ code }) => code === 'LEGACY_BLOCKS_DECLARED');
    const { severity, message = '' } = said ?? {};
    return { removed: removedBlocks(plan), severity, said: message.split(': ').at(-1) };
  }

  it.each([
    ['its zone is planned', `"${ZONE}"`],
    ['a block with resources has the same expression', 'var.zone'],
  ])('leaves by a decision if %s: its resource was removed by hand', async (_, text) => {
    const files = { 'main.tf': `${held}${rule('gone', text)}` };
    const plan = await planFiles(files, holding('cloudflare_waf_rule.held'));
    expect(removedBlocks(plan)).toEqual(['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone']);
    expect(plan.findings).toEqual([
      expect.objectContaining({
        ...{ code: 'LEGACY_RESOURCES_GONE', severity: 'decision' },
        message: expect.stringMatching(/: cloudflare_waf_rule\.gone \(main\.tf:4\)$/),
      }),
    ]);
  });

  it('stays, and is named with its place, also in a module: another workspace may have it', async () => {
    const files = {
      'main.tf': `${held}${rule('gone', 'var.own')}${call('m', './m')}`,
      'm/main.tf': rule('none', 'var.zone', '  count = 0\n'),
    };
    expect(await planned(files)).toEqual({
      removed: ['cloudflare_waf_rule.held'],
      severity: 'blocker',
      said: 'cloudflare_waf_rule.gone (main.tf:4), cloudflare_waf_rule.none (m/main.tf:1)',
    });
  });

  it('has a remedy that leads on if its zone is unknown', async () => {
    const files = { 'main.tf': `${held}${rule('gone', 'var.own')}` };
    const { findings } = await planFiles(files, holding('cloudflare_waf_rule.held'));
    const left = findings.find(({ code }) => code === 'LEGACY_BLOCKS_DECLARED');
    expect(left?.remedy).toMatch(/\. Otherwise delete them if .*\. If none has, /);
    expect(left?.remedy).toMatch(/:\ncf-waf-migrate plan --zone <id or name>$/);
  });

  // the last check fails where Terraform certainly creates it
  it.each([
    ['a count', rule('gone', 'var.zone', '  count = var.n\n')],
    ['for_each', rule('gone', 'var.zone', '  for_each = var.n\n')],
    ['a module', call('m', './m')],
  ])('needs a decision only with %s', async (_, text) => {
    const files = { 'main.tf': held + text, 'm/main.tf': rule('none', 'var.zone') };
    expect((await planned(files)).severity).toBe('decision');
  });

  it('is a blocker too if resources of another zone stay', async () => {
    const legacyResources = [
      ...holding('cloudflare_waf_rule.held').legacyResources!,
      legacyResource('cloudflare_waf_rule.other', { zoneId: OTHER_ZONE }),
    ];
    const files = { 'main.tf': held + rule('gone', 'var.own') };
    expect((await planned(files, { legacyResources })).severity).toBe('blocker');
  });

  it('differs from a data source, which leaves with the provider', async () => {
    const data = `data "cloudflare_waf_rules" "all" {\n  zone_id = "${OTHER_ZONE}"\n}\n`;
    expect(await planned({ 'main.tf': held + data })).toEqual({
      removed: ['cloudflare_waf_rule.held', 'data.cloudflare_waf_rules.all'],
      said: '',
    });
  });

  it('leaves where the new provider does not know its type', async () => {
    const files = { 'main.tf': held + rule('gone', 'local.zone') };
    expect(await planned(files, { wanted: '4.52.8' })).toEqual({
      removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
      said: '',
    });
    const { findings } = await planFiles(files, {
      ...holding('cloudflare_waf_rule.held'),
      wanted: '4.52.8',
    });
    // it can be of another zone, whose ruleset would stay in no state
    const repeated = { 'main.tf': held + rule('gone', 'local.zone', '  count = 1\n') };
    const ofCount = await planFiles(repeated, {
      ...holding('cloudflare_waf_rule.held'),
      wanted: '4.52.8',
    });
    expect(codesOf(ofCount)).toContain('OTHER_ZONES');
    expect(findings.find(({ code }) => code === 'OTHER_ZONES')).toMatchObject({
      severity: 'decision',
      message: expect.stringMatching(/: cloudflare_waf_rule\.gone \(main\.tf:4\)$/),
    });
  });
});
