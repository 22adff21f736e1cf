import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts/facts';
import {
  configuration,
  declaredZone,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  ZONE,
} from './support/state-facts';

describe('a block without resources in the state', () => {
  const rule = (name: string, zone: string, more = '') =>
    `resource "cloudflare_waf_rule" "${name}" {\n  zone_id = ${zone}\n${more}}\n`;

  /** What a plan removes from the files, and what it reports to stay. */
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

  const held = rule('held', 'var.zone');

  it('stays, and is named with its place, also in a module: another workspace may have it', async () => {
    const files = {
      'main.tf': `${held}${rule('gone', `"${ZONE}"`)}module "m" {\n  source = "./m"\n}\n`,
      'm/main.tf': rule('none', 'var.zone', '  count = 0\n'),
    };
    expect(await planned(files)).toEqual({
      removed: ['cloudflare_waf_rule.held'],
      said: 'cloudflare_waf_rule.gone (main.tf:4), cloudflare_waf_rule.none (m/main.tf:1)',
    });
  });

  it('is not what a data source is, which leaves with the provider', async () => {
    const data = `data "cloudflare_waf_rules" "all" {\n  zone_id = "${OTHER_ZONE}"\n}\n`;
    expect(await planned({ 'main.tf': held + data })).toEqual({
      removed: ['cloudflare_waf_rule.held', 'data.cloudflare_waf_rules.all'],
      said: undefined,
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
