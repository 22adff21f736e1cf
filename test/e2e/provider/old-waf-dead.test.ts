import {
  canonicalAddress,
  canonicalImportId,
  canonicalRuleset,
  canonicalZone,
} from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import {
  oldWafScenario,
  oldWafState,
  type OldWafWorld,
  withoutData,
  writeOldWaf,
} from '../../support/legacy-waf-case';
import { Edit } from './table/edit';

const rulesetPath = `/zones/${canonicalZone}/rulesets/${canonicalRuleset}`;
const errors = (text: string) => text.match(/Error: /g)?.length ?? 0;
const instancesIn = (state: string) => state.match(/"schema_version"/g)?.length ?? 0;

/** The measured state over old interfaces that have stopped working. */
const inDead = (world: Partial<OldWafWorld>, use: (lab: Lab) => Promise<void>) =>
  inLab({ major: 3, scenario: oldWafScenario({ alive: false, ...world }) }, async (lab) => {
    await writeOldWaf(lab);
    lab.write('terraform.tfstate', oldWafState());
    await use(lab);
  });
const addRuleset = (lab: Lab) => {
  const { resource } = new Edit(3);
  lab.write('ruleset.tf.json', { resource: { cloudflare_ruleset: { waf: resource } } });
};

describe.each(['403/10000', '404', '410', 'html'] as const)('a reply of %s', (gone) => {
  it('is an error of every old resource: nothing counts as gone', () =>
    inDead({ gone }, async (lab) => {
      // Four data sources fail, and what is made of them is not even looked at.
      const withThem = await lab.plan();
      expect([withThem.outcome, errors(withThem.text)]).toEqual(['error', 48]);
      withoutData(lab);
      const without = await lab.plan();
      expect([without.outcome, errors(without.text)]).toEqual(['error', 50]);
      expect((await lab.terraform('refresh')).code).toBe(1);
      expect((await lab.terraform('destroy', '-auto-approve')).code).toBe(1);
      expect(lab.sent()).toEqual([]);
    }));
});

describe('a reply of 400 with code 1002', () => {
  it('counts as gone, but for overrides: the plan fails on each of them, and creates the others', () =>
    inDead({ gone: '400/1002' }, async (lab) => {
      withoutData(lab);
      const all = await lab.plan();
      const failed = [...all.text.matchAll(/with (cloudflare_waf_\w+)/g)].map(([, type]) => type);
      expect([all.outcome, failed.length > 0]).toEqual(['error', true]);
      expect(new Set(failed)).toEqual(new Set(['cloudflare_waf_override']));

      const overrides = (await lab.terraform('state', 'list')).stdout.match(
        /.*cloudflare_waf_override.*/g,
      );
      await lab.terraform('state', 'rm', ...overrides!);
      const others = await lab.plan();
      expect(others.outcome).toBe('diff');
      expect(others.text).toContain('to add, 0 to change, 0 to destroy');
    }));
});

describe('what still works with the old interfaces dead', () => {
  it('reading the state, without one request', () =>
    inDead({}, async (lab) => {
      for (const args of [
        ['state', 'list'],
        ['state', 'pull'],
        ['show', '-json'],
      ]) {
        expect((await lab.terraform(...args)).code).toBe(0);
      }
      const [address] = (await lab.terraform('state', 'list')).stdout.split('\n').slice(10);
      expect((await lab.terraform('state', 'rm', address!)).code).toBe(0);
      expect(lab.asked()).toEqual([]);
    }));

  it('a destroy without refresh, in part: filters and firewall rules go, the rest stays', () =>
    inDead({}, async (lab) => {
      withoutData(lab);
      expect(instancesIn(lab.read('terraform.tfstate'))).toBe(58);
      const run = await lab.terraform('destroy', '-refresh=false', '-auto-approve');
      expect(run.code).toBe(1);
      expect(run.stdout).toContain('54 to destroy');
      const left = lab.read('terraform.tfstate');
      expect(left).not.toContain('cloudflare_firewall_rule"');
      expect(instancesIn(left)).toBeGreaterThanOrEqual(50);
      expect(instancesIn(left)).toBeLessThan(58);
    }));

  it('the import of the ruleset, which reads nothing else; a plan of it alone; not the whole plan', () =>
    inDead({}, async (lab) => {
      withoutData(lab);
      addRuleset(lab);
      const imported = await lab.terraform('import', canonicalAddress, canonicalImportId(3));
      expect(imported.code).toBe(0);
      expect(new Set(lab.asked())).toEqual(new Set([`GET ${rulesetPath}`]));
      expect((await lab.plan(`-target=${canonicalAddress}`)).outcome).toBe('empty');
      expect(lab.asked()).toEqual([`GET ${rulesetPath}`]);
      const whole = await lab.plan();
      expect([whole.outcome, errors(whole.text)]).toEqual(['error', 50]);
    }));

  it('but not the import where any data source of the old WAF is configured', () =>
    inDead({}, async (lab) => {
      addRuleset(lab);
      const before = lab.read('terraform.tfstate');
      const imported = await lab.terraform('import', canonicalAddress, canonicalImportId(3));
      expect(imported.code).toBe(1);
      expect(lab.read('terraform.tfstate')).toBe(before);
    }));

  it('nor a plan, even without refresh, while a data source is configured', () =>
    inDead({}, async (lab) => {
      const only = 'data "cloudflare_waf_packages" "all" {\n  zone_id = var.zone_id\n}\n';
      lab.write('main.tf', only);
      lab.write('terraform.tfstate', '');
      expect((await lab.plan('-refresh=false')).outcome).toBe('error');
    }));
});

describe('firewall rules in maintenance mode (10020)', () => {
  it('are read and planned as ever; to change or destroy them fails, and state keeps them', () =>
    inDead({ alive: true, settings: { firewallMaintenance: true } }, async (lab) => {
      expect((await lab.plan()).outcome).toBe('empty');
      const target = ['-target=cloudflare_firewall_rule.bad', '-target=cloudflare_filter.bad'];
      const run = await lab.terraform('destroy', '-auto-approve', ...target);
      expect(run.code).toBe(1);
      expect(run.stderr.replace(/\s+/g, ' ')).toMatch(
        /error deleting Cloudflare Firewall Rule: firewallrules\.api\.maintenance_mode.*\(10020\)/,
      );
      const left = lab.read('terraform.tfstate');
      expect(left).toContain('04f2fa5bf28a14472327b4008907142d');
      expect(left).toContain('4e4152bff7798b91b87d415ed58801a9');
    }));
});
