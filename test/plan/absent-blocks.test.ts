import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import {
  configuration,
  declaredZone,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  workspace,
  ZONE,
} from './support/state-facts';

const rule = (name: string, zone: string, more = '') =>
  `resource "cloudflare_waf_rule" "${name}" {\n  zone_id = ${zone}\n${more}}\n`;

/** What a plan that leaves provider 3 takes out of the files, and what it says that it does not. */
async function planned(files: Record<string, string>, changes: Partial<StateFacts> = {}) {
  const state = stateFacts({
    legacyResources: [legacyResource('cloudflare_waf_rule.held')],
    configuration: await configuration(files),
    ...changes,
  });
  const { steps, findings } = planMigration([declaredZone], [state]);
  const edits = steps.flatMap(({ edits: own = [] }) => own);
  const said = findings.find(({ code }) => code === 'LEGACY_BLOCKS_DECLARED');
  return {
    removed: edits.flatMap(({ remove }) => remove.map(({ address }) => address)),
    said: said?.message.split(': ').at(-1),
  };
}

describe('a block of which the state holds nothing, where something else leaves it', () => {
  const held = rule('held', 'var.zone');

  it('leaves with it, where it has the id of the zone', async () => {
    const files = { 'main.tf': held + rule('gone', `"${ZONE}"`, '  count = 0\n') };
    expect(await planned(files)).toEqual({
      removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
      said: undefined,
    });
  });

  it('leaves with it, where a block that is held has the same expression', async () => {
    const files = { 'main.tf': held + rule('gone', 'var.zone') };
    expect(await planned(files)).toMatchObject({
      removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
    });
  });

  it('leaves with it so, where the expression only looks like one of an instance', async () => {
    const files = {
      'main.tf': rule('held', 'local.each_zone.id') + rule('gone', 'local.each_zone.id'),
    };
    expect(await planned(files)).toMatchObject({
      removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
    });
  });

  it('is not what a data source is, which leaves with the provider', async () => {
    const data = `data "cloudflare_waf_rules" "all" {\n  zone_id = "${OTHER_ZONE}"\n}\n`;
    expect(await planned({ 'main.tf': held + data })).toEqual({
      removed: ['cloudflare_waf_rule.held', 'data.cloudflare_waf_rules.all'],
      said: undefined,
    });
  });

  it.each(['count = 0', 'count = (0)'])('leaves with it so, also where it has %s', async (none) => {
    const files = { 'main.tf': held + rule('gone', 'var.zone', `  ${none}\n`) };
    expect(await planned(files)).toMatchObject({
      removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
    });
  });

  it.each([
    ['a count by the workspace', 'var.zone', '  count = terraform.workspace == "prod" ? 1 : 0\n'],
    ['a count by a variable', 'var.zone', '  count = var.env == "prod" ? 1 : 0\n'],
    ['a for_each', 'var.zone', '  for_each = var.rules\n'],
    ['a zone of each workspace', 'var.zones[terraform.workspace]', ''],
  ])('stays where another workspace may have it, by %s', async (_, zone, more) => {
    const files = { 'main.tf': rule('held', zone) + rule('gone', zone, more) };
    expect(await planned(files)).toEqual({
      removed: ['cloudflare_waf_rule.held'],
      said: 'cloudflare_waf_rule.gone',
    });
  });

  it.each([
    ['the id of the zone', `"${ZONE}"`],
    ['the same expression', 'var.zone'],
  ])('stays where another workspace has it for sure, with %s', async (_, zone) => {
    const files = {
      'main.tf': `${held}module "m" {\n  source = "./m"\n}\n${rule('gone', zone)}`,
      'm/main.tf': rule('gone', `"${ZONE}"`) + rule('left', `"${ZONE}"`),
    };
    const legacyResources = ['cloudflare_waf_rule.gone', 'module.m.cloudflare_waf_rule.gone[0]'];
    const otherWorkspaces = [workspace('prod', { legacyResources })];
    expect(await planned(files, { otherWorkspaces })).toEqual({
      removed: ['cloudflare_waf_rule.left', 'cloudflare_waf_rule.held'],
      said: 'cloudflare_waf_rule.gone, module.m.cloudflare_waf_rule.gone',
    });
  });

  it.each([
    ['the id of another zone', `"${OTHER_ZONE}"`],
    ['an expression that no block has of which something is held', 'local.zone'],
    ['one that differs from instance to instance', 'each.value'],
  ])('stays, and is named, where it has %s', async (_, zone) => {
    const both = rule('held', zone === 'each.value' ? zone : 'var.zone') + rule('gone', zone);
    expect(await planned({ 'main.tf': both })).toEqual({
      removed: ['cloudflare_waf_rule.held'],
      said: 'cloudflare_waf_rule.gone',
    });
  });

  it('stays where the same expression is that of a zone that stays as well', async () => {
    const legacyResources = [
      legacyResource('cloudflare_waf_rule.held'),
      legacyResource('cloudflare_waf_rule.more', { zoneId: OTHER_ZONE }),
    ];
    const files = { 'main.tf': held + rule('more', 'var.zone') + rule('gone', 'var.zone') };
    expect(await planned(files, { legacyResources })).toEqual({
      removed: ['cloudflare_waf_rule.held'],
      said: 'cloudflare_waf_rule.gone',
    });
  });

  describe('to which something refers that stays', () => {
    const none = rule('none', 'var.zone', '  count = 0\n');
    const output = (of: string) =>
      `output "${of}" {\n  value = cloudflare_waf_rule.${of}[*].id\n}\n`;

    it('leaves with an output that refers to nothing else', async () => {
      const files = { 'main.tf': held + none + rule('elsewhere', 'local.zone') + output('none') };
      expect(await planned(files)).toEqual({
        removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.none', 'output.none'],
        said: 'cloudflare_waf_rule.elsewhere',
      });
    });

    it('stays where a local value reads it, and does not keep the others in the files', async () => {
      const local = 'locals {\n  x = cloudflare_waf_rule.none\n}\n';
      const files = { 'main.tf': held + none + local + output('none') };
      expect(await planned(files)).toEqual({
        removed: ['cloudflare_waf_rule.held'],
        said: undefined,
      });
    });
  });

  it('is found in a module by its place there', async () => {
    const files = {
      'main.tf': `${held}module "m" {\n  source = "./m"\n}\n`,
      'm/main.tf': rule('gone', `"${ZONE}"`) + rule('unknown', 'var.zone'),
    };
    expect(await planned(files)).toEqual({
      removed: ['cloudflare_waf_rule.gone', 'cloudflare_waf_rule.held'],
      said: 'module.m.cloudflare_waf_rule.unknown',
    });
  });

  it('leaves in any case where the provider that comes does not know its type', async () => {
    const files = { 'main.tf': held + rule('gone', 'local.zone') };
    expect(await planned(files, { wanted: '4.52.8' })).toEqual({
      removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
      said: undefined,
    });
  });
});
