import { resourcesIn } from '../support/legacy-waf-case';
import { type LegacySettings } from '../support/zones';
import { inWorld } from '../support/world';

const settings: LegacySettings = {
  packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'low', action_mode: 'simulate' } },
  groups: { '8df6c9aaddcbdf0eceb047bc50873697': 'off' },
  rules: { '100000': 'disable', '100001': 'simulate' },
  overrides: [{ urls: ['example.com/${x}/*'], rules: { '100002': 'block' } }],
};

describe('a world for a test', () => {
  it.each(['local', 'http'] as const)(
    'fits together: zone, state in %s and configuration plan empty',
    (backend) =>
      inWorld({ ...settings, zones: 2, migrated: false, backend }, async ({ lab, addresses }) => {
        expect(addresses).toHaveLength(10);
        expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
      }),
  );

  it('has the state that provider 3.35 writes of the same configuration', () =>
    inWorld({ ...settings, migrated: false }, async ({ lab, state }) => {
      lab.write('terraform.tfstate', '');
      // The zone has the settings already: what is created is adopted. An override is made anew.
      expect((await lab.terraform('apply', '-auto-approve')).code).toBe(0);
      const of = (text: string) =>
        resourcesIn(text)
          .map(({ type, name, instances }) => ({ type, name, instances }))
          .sort((a, b) => (a.type + a.name < b.type + b.name ? -1 : 1));
      const ids = /"(?:id|override_id)": "[0-9a-f]{32}"/g;
      const neutral = (text: string) =>
        of(text).map((one) =>
          JSON.parse(
            one.type === 'cloudflare_waf_override'
              ? JSON.stringify(one, null, 1).replace(ids, '"id": ""')
              : JSON.stringify(one),
          ),
        );
      expect(neutral(lab.read('terraform.tfstate'))).toEqual(neutral(state));
    }));

  it('has an entry point in each zone that has migrated, and dead old interfaces', () =>
    inWorld({ ...settings, zones: 2, gone: '404' }, async ({ lab, zoneIds, rulesetIds, local }) => {
      expect([zoneIds.length, new Set(rulesetIds).size]).toEqual([2, 2]);
      expect((await lab.plan()).outcome).toBe('error');
      expect(local.changed()).toEqual([]);
    }));
});
