import { inLab, type Lab } from '../../support/lab';
import {
  oldWafScenario,
  type OldWafWorld,
  oldWafState,
  resourcesIn,
  writeOldWaf,
} from '../../support/legacy-waf-case';

const inOldWaf = (world: Partial<OldWafWorld>, use: (lab: Lab) => Promise<void>) =>
  inLab({ major: 3, scenario: oldWafScenario({ alive: true, ...world }) }, async (lab) => {
    await writeOldWaf(lab);
    await use(lab);
  });

const minted = /^cloudflare_(waf_override|filter|firewall_rule)$/;
const mintedIds = ['id', 'override_id', 'filter_id'];

/** Every instance by its address, without the ids that the service mints. */
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

describe('provider 3.35, with the old interfaces alive', () => {
  it('creates the 54 resources as measured, data sources included, and plans empty', () =>
    inOldWaf({ fresh: true }, async (lab) => {
      const run = await lab.terraform('apply', '-auto-approve');
      expect(run.stderr).toBe('');
      expect(run.stdout).toContain('54 added, 0 changed, 0 destroyed');
      expect(instances(lab.read('terraform.tfstate'))).toEqual(instances(oldWafState()));
      // Data sources are read before the resources change what they list.
      expect((await lab.plan()).outcome).toBe('empty');
    }));

  it('plans empty over the measured state', () =>
    inOldWaf({}, async (lab) => {
      lab.write('terraform.tfstate', oldWafState());
      expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    }));

  it('arms again what it destroys, and deletes overrides alone', () =>
    inOldWaf({}, async (lab) => {
      lab.write('terraform.tfstate', oldWafState());
      const run = await lab.terraform('destroy', '-auto-approve');
      expect(run.stdout).toContain('54 destroyed');
      const sent = lab.sent().map(({ method, path, body }) => {
        const kind = /(packages|groups|rules|overrides|filters)\/\w+$/.exec(path)?.[1];
        return `${method} ${String(kind)} ${JSON.stringify(body ?? null)}`;
      });
      // Packages and rules that are at their defaults already are not written.
      expect([...new Set(sent)].sort()).toEqual([
        'DELETE filters null',
        'DELETE overrides null',
        'DELETE rules null',
        'PATCH groups {"mode":"on"}',
        'PATCH packages {"sensitivity":"high","action_mode":"challenge"}',
        'PATCH rules {"mode":"default"}',
        'PATCH rules {"mode":"on"}',
      ]);
      expect(sent.filter((line) => line.startsWith('PATCH packages'))).toHaveLength(1);
      expect(sent.filter((line) => line.startsWith('DELETE overrides'))).toHaveLength(6);
    }));

  it('plans the same for a configuration that was emptied', () =>
    inOldWaf({}, async (lab) => {
      lab.write('terraform.tfstate', oldWafState());
      lab.write('main.tf', '');
      expect((await lab.plan()).text).toContain('54 to destroy');
    }));

  it('refuses to set what a traditional package does not have', () =>
    inLab({ major: 3, scenario: oldWafScenario({ alive: true, fresh: true }) }, async (lab) => {
      lab.write('main.tf.json', {
        terraform: { required_providers: { cloudflare: { source: 'cloudflare/cloudflare' } } },
        resource: {
          cloudflare_waf_package: {
            cf: {
              zone_id: '0123456789abcdef0123456789abcdef',
              package_id: '1e334934fd7ae32ad705667f8c1057aa',
            },
          },
        },
      });
      const run = await lab.terraform('apply', '-auto-approve');
      expect(run.code).toBe(1);
      expect(run.stderr.replace(/\s+/g, ' ')).toContain('(1027)');
    }));

  it.each([
    ['cloudflare_waf_package.owasp', 'c504870194831cd12c3fc0284f294abb'],
    ['cloudflare_waf_group.drupal', '8df6c9aaddcbdf0eceb047bc50873697'],
    ['cloudflare_waf_rule.r_disable', '100000'],
    ['cloudflare_waf_override.shop', '26da85aaacdeddaba42b99597716d4e2'],
    ['cloudflare_filter.bad', '4e4152bff7798b91b87d415ed58801a9'],
    ['cloudflare_firewall_rule.bad', '04f2fa5bf28a14472327b4008907142d'],
  ])('imports %s to what is in the measured state', (address, id) =>
    inOldWaf({}, async (lab) => {
      const run = await lab.terraform('import', address, `0123456789abcdef0123456789abcdef/${id}`);
      expect(run).toMatchObject({ code: 0 });
      const [type, name] = address.split('.');
      const of = (state: string) =>
        resourcesIn(state).find((one) => one.type === type && one.name === name)?.instances[0]
          ?.attributes;
      expect(of(lab.read('terraform.tfstate'))).toEqual(of(oldWafState()));
    }),
  );
});
