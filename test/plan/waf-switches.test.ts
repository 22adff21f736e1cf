import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/read/read-facts';
import { planMigration } from '../../src/plan/plan-migration';
import { zone } from './support/state-facts';
import { statesFolder } from './support/plans';

it.each([
  ['on', true],
  ['off', true],
  ['', false],
])(
  'settings of a zone that hold the switch of the WAF are told, and nothing is asked: "%s"',
  (waf, does) => {
    const document = JSON.parse(readFileSync(join(statesFolder, 'tainted-3.35.tfstate'), 'utf8'));
    const attributes = { zone_id: zone.zoneId, settings: [{ waf, ssl: 'full' }] };
    for (const name of ['s', 't']) {
      document.resources.push({
        ...document.resources[0],
        ...{ type: 'cloudflare_zone_settings_override', name },
        instances: [{ schema_version: 2, attributes }],
      });
    }
    const bytes = Buffer.from(JSON.stringify(document));
    const plan = planMigration([zone], [readStateBytes(bytes, 'default', { from: '3.35.0' })]);
    const told = plan.findings.filter(({ code }) => code === 'SETTING_SWITCHES_WAF');
    const finding = {
      severity: 'info',
      message: expect.stringContaining(
        'cloudflare_zone_settings_override.s, cloudflare_zone_settings_override.t',
      ),
      remedy: expect.stringContaining('remove `waf` from'),
    };
    expect(told).toEqual(does ? [expect.objectContaining(finding)] : []);
  },
);
