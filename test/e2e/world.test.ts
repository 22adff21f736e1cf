import { resourcesIn } from '../support/legacy-waf-case';
import { inWorld, type WorldOptions } from '../support/world';

const settings: WorldOptions = {
  packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'low', action_mode: 'simulate' } },
  groups: { '8df6c9aaddcbdf0eceb047bc50873697': 'off' },
  rules: { '100000': 'disable', '100001': 'simulate' },
  overrides: [{ urls: ['example.com/${x}/*'], rules: { '100002': 'block' } }],
  migrated: false,
};

it('a world for a test has the state that provider 3.35 writes of its configuration', () =>
  inWorld(settings, async ({ lab, state, addresses }) => {
    expect(addresses).toHaveLength(5);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    lab.write('terraform.tfstate', '');
    // The zone already has the settings: Terraform adopts them. It creates the override again.
    expect((await lab.terraform('apply', '-auto-approve')).code).toBe(0);
    const ids = /"(?:id|override_id)": "[0-9a-f]{32}"/g;
    const neutral = (text: string) =>
      Object.fromEntries(
        resourcesIn(text).map(({ type, name, instances }) => {
          const own = JSON.stringify(instances, null, 1);
          const isMinted = type === 'cloudflare_waf_override';
          return [`${type}.${name}`, isMinted ? own.replace(ids, '"id": ""') : own];
        }),
      );
    expect(neutral(lab.read('terraform.tfstate'))).toEqual(neutral(state));
  }));
