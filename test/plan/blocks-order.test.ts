import { planMigration } from '../../src/plan/plan-migration';
import { configuration, declaredZone, oldResource, plannedState } from './support/planned-states';

describe('method blocks', () => {
  it.each([
    ['cloudflare_waf_rule.u["x.data.y"]', 'cloudflare_waf_rule.u'],
    ['cloudflare_waf_rule.u["a.data.example.com"]', 'cloudflare_waf_rule.u'],
    ['module.data.cloudflare_waf_rule.r', 'module.data.cloudflare_waf_rule.r'],
    ['module.m["data.z"].cloudflare_waf_rule.r', 'module.m.cloudflare_waf_rule.r'],
  ])(
    'has a removed block for %s, without which Terraform would destroy it',
    async (address, from) => {
      const text = await blocksFor(oldResource(address, { mode: 'managed' }));
      expect(text).toContain(`removed {\n  from = ${from}\n`);
    },
  );

  it.each([
    'data.cloudflare_waf_rules.r["managed"]',
    'module.data.data.cloudflare_waf_rules.r',
    'module.m["x"].data.cloudflare_waf_rules.r',
  ])('has none for the data source %s, which Terraform reads anew', async (address) => {
    expect(await blocksFor(oldResource(address, { mode: 'data' }))).not.toContain('removed {');
  });
});

async function blocksFor(resource: ReturnType<typeof oldResource>): Promise<string> {
  const files = await configuration({ 'main.tf': '' });
  const state = plannedState({ oldResources: [resource], configuration: files });
  const { steps } = planMigration([declaredZone], [state], 'blocks');
  const edits = steps.flatMap((step) => step.edits ?? []);
  return edits.find(({ file }) => file === 'cf-waf-migrate.tf')?.insert ?? '';
}
