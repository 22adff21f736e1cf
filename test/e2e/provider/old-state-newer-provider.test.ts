import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inLab, type Lab } from '../../support/lab';
import {
  addressesIn,
  oldWafScenario,
  oldWafState,
  removedBlocks,
  writeOldWaf,
} from '../../support/legacy-waf-case';
import { type Major } from '../../support/provider/schema/load-schema';

const count = (text: string, words: string) => text.split(words).length - 1;
const noSchema = 'no schema available for';

const inOld = (major: Major, use: (lab: Lab) => Promise<void>) =>
  inLab({ major, scenario: oldWafScenario({ alive: false }) }, async (lab) => {
    await writeOldWaf(lab);
    lab.write('terraform.tfstate', oldWafState());
    await use(lab);
  });

describe.each<Major>([4, 5])('provider %s over the state of 3.35', (major) => {
  it.each(['validate', 'plan', 'destroy'])('does not know the types: %s', (command) =>
    inOld(major, async (lab) => {
      const run = await lab.terraform(command);
      expect(run.code).toBe(1);
      const text = run.stderr.replace(/\s+/g, ' ');
      expect(text).toContain('Invalid resource type');
      expect(text).toContain('does not support resource type "cloudflare_waf_package"');
    }),
  );

  it.each([
    ['nothing', {}],
    ['removed blocks', removedBlocks(addressesIn(oldWafState()))],
  ])('cannot plan, apply or refresh with %s in the configuration', (_name, config) =>
    inOld(major, async (lab) => {
      lab.write('main.tf', '');
      lab.write('main.tf.json', config);
      for (const command of [['plan'], ['apply', '-auto-approve'], ['refresh']]) {
        const run = await lab.terraform(...command);
        expect([run.code, count(run.stderr, noSchema)]).toEqual([1, 50]);
      }
    }),
  );

  it('shows nothing; lists, pulls and removes everything', () =>
    inOld(major, async (lab) => {
      for (const args of [['show'], ['show', '-json']]) {
        const run = await lab.terraform(...args);
        expect(run.code).toBe(1);
        expect(run.stderr).toContain('no schema found for');
      }
      const one = await lab.terraform('state', 'show', 'cloudflare_waf_rule.r_disable');
      expect(one.stderr).toContain('no schema found for cloudflare_waf_rule.r_disable');
      expect(one.code).toBe(0);
      expect((await lab.terraform('state', 'pull')).code).toBe(0);

      const { stdout } = await lab.terraform('state', 'list');
      const old = stdout.split('\n').filter((line) => /(^|[^.]\.)cloudflare_waf_/.test(line));
      const managed = old.filter((line) => !line.startsWith('data.'));
      const removed = await lab.terraform('state', 'rm', ...managed);
      expect(removed.stdout).toContain('Successfully removed 50 resource instance(s).');

      // Entries of data sources stay: they break `show -json`, and no plan.
      expect((await lab.terraform('show', '-json')).code).toBe(1);
      lab.write('main.tf', major === 4 ? filters : '');
      const next = await lab.plan();
      if (major === 4) expect(next.outcome).toBe('empty');
      else expect(next.text).toMatch(/AttributeName\("action"\): invalid JSON, expected "\{", got/);
    }));
});

/** The filters and firewall rules of the configuration, alone. */
const filters = readFileSync(
  join(__dirname, '../../fixtures/terraform/states/old-waf-3.35/main.tf'),
  'utf8',
)
  .split(/^(?=(?:resource|data|module|locals)\b)/m)
  .filter((block) => /^resource "cloudflare_(filter|firewall_rule)"/.test(block))
  .join('');

describe.each(['3.35.0', '4.52.8'])('provider 5 over a firewall rule of %s', (version) => {
  const state = readFileSync(
    join(__dirname, `../../fixtures/terraform/states/filter-fwrule-${version}.tfstate`),
    'utf8',
  );
  const inFive = (use: (lab: Lab) => Promise<void>) =>
    inLab({ major: 5, scenario: 'canonical' }, async (lab) => {
      lab.write('terraform.tfstate', state);
      await use(lab);
    });

  it('cannot plan, removed or not; after state rm it can, for the filter is no trouble', () =>
    inFive(async (lab) => {
      for (const config of [{}, removedBlocks(addressesIn(state))]) {
        lab.write('main.tf.json', config);
        expect((await lab.plan()).text.replace(/\s+/g, ' ')).toContain(
          'AttributeName("action"): invalid JSON, expected "{", got "block"',
        );
      }
      expect((await lab.terraform('state', 'rm', 'cloudflare_firewall_rule.a')).code).toBe(0);
      lab.write('main.tf.json', removedBlocks(['cloudflare_filter.a']));
      expect((await lab.plan()).outcome).toBe('diff');
      expect((await lab.terraform('apply', '-auto-approve')).code).toBe(0);
      expect(lab.sent()).toEqual([]);
    }));
});
