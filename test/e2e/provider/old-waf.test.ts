import { inLab, type Lab } from '../../support/lab';
import {
  oldWafScenario,
  oldWafState,
  type OldWafWorld,
  resourcesIn,
  withoutData,
  writeOldWaf,
} from '../../support/legacy-waf-case';
import { inWorld, type WorldOptions } from '../../support/world';

const inOldWaf = (world: OldWafWorld, use: (lab: Lab) => Promise<void>) =>
  inLab({ major: 3, scenario: oldWafScenario(world) }, async (lab) => {
    await writeOldWaf(lab);
    await use(lab);
  });

const minted = /^cloudflare_(waf_override|filter|firewall_rule)$/;
const mintedIds = ['id', 'override_id', 'filter_id'];

/** Every instance by its address, without the ids that the API assigns. */
function instances(state: string): Record<string, unknown> {
  return Object.fromEntries(
    resourcesIn(state).flatMap(({ module = '', mode, type, name, instances: all }) =>
      all.map((instance): [string, unknown] => {
        const attributes = Object.entries(instance.attributes).filter(
          ([attribute]) => !(minted.test(type) && mintedIds.includes(attribute)),
        );
        return [
          `${module} ${mode} ${type}.${name}[${instance.index_key ?? ''}]`,
          { ...instance, attributes: Object.fromEntries(attributes) },
        ];
      }),
    ),
  );
}

describe('provider 3.35', () => {
  it('creates the 54 resources as measured, data sources included, and plans empty', () =>
    inOldWaf({ alive: true, fresh: true }, async (lab) => {
      const run = await lab.terraform('apply', '-auto-approve');
      expect(run.stderr).toBe('');
      expect(run.stdout).toContain('54 added, 0 changed, 0 destroyed');
      expect(instances(lab.read('terraform.tfstate'))).toEqual(instances(oldWafState()));
      // Data sources are read before the resources change what they list.
      expect((await lab.plan()).outcome).toBe('empty');
    }));

  it.each(['403/10000', '404', '410', 'html'] as const)(
    'counts nothing as gone where the legacy API replies %s',
    (gone) =>
      inOldWaf({ alive: false, gone }, async (lab) => {
        lab.write('terraform.tfstate', oldWafState());
        withoutData(lab);
        const { outcome, text } = await lab.plan();
        expect([outcome, text.match(/Error: /g)?.length]).toEqual(['error', 50]);
      }),
  );

  it('counts all but overrides as gone where the legacy API replies 400 with code 1002', () =>
    inOldWaf({ alive: false, gone: '400/1002' }, async (lab) => {
      lab.write('terraform.tfstate', oldWafState());
      withoutData(lab);
      const { outcome, text } = await lab.plan();
      const failed = [...text.matchAll(/with (cloudflare_waf_\w+)/g)].map(([, type]) => type);
      expect([outcome, new Set(failed)]).toEqual(['error', new Set(['cloudflare_waf_override'])]);
    }));
});

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
