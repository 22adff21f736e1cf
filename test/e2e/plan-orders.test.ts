import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { carryOut, change, planIn, stateList } from '../plan/support/carry-out';
import { type Lab } from '../support/lab';
import { type LegacySettings } from '../support/zones';
import { inWorld } from '../support/world';

const settings: LegacySettings = {
  packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'low', action_mode: 'simulate' } },
  groups: { '8df6c9aaddcbdf0eceb047bc50873697': 'off' },
  rules: { '100000': 'disable', '100001': 'simulate' },
  overrides: [{ urls: ['example.com/${x}/*'], rules: { '100002': 'block' } }],
};

/** What was asked of the old interfaces, or written to any. */
const forbidden = (lab: Lab): string[] =>
  lab
    .asked()
    .filter((line) => /\/firewall\/|\/waf_migration\//.test(line) || !line.startsWith('GET '));

/** The end of every way: nothing to do, whatever order led there, and the old interfaces left alone. */
async function expectEmptyPlan(lab: Lab, dir = '.'): Promise<void> {
  const chdir = dir === '.' ? [] : [`-chdir=${dir}`];
  const { code, stderr } = await lab.terraform(...chdir, 'plan', '-detailed-exitcode');
  expect([code, stderr]).toEqual([0, '']);
}

describe('trap 0.1: removed blocks ask no API, so method blocks works under provider 3 with the old interfaces gone', () => {
  // they are never asked, so it is all one how they would refuse
  it.each(['403/10000', 'html'] as const)('with %s', (gone) =>
    inWorld({ ...settings, zones: 2, gone }, async ({ lab, zoneIds, addresses }) => {
      const args = ['--method', 'blocks', '--from', '3.35.0', '--write'];
      const { plan, code } = await planIn(lab, zoneIds, ...args);
      expect(code).toBe(0);
      expect(plan.states[0]).toMatchObject({ method: 'blocks' });
      expect(lab.read('main.tf').trim()).toBe('');
      lab.asked();
      await carryOut(lab, plan);
      expect(forbidden(lab)).toEqual([]);
      const left = await stateList(lab);
      expect(left).toHaveLength(2);
      expect(left.filter((address) => addresses.includes(address))).toEqual([]);
      await expectEmptyPlan(lab);
    }),
  );

  it('over an HTTP backend, old data sources in configuration and state too', () =>
    inWorld({ ...settings, backend: 'http' }, async ({ lab, zoneIds, addresses }) => {
      change(
        lab,
        'main.tf',
        (text) =>
          `data "cloudflare_waf_packages" "all" {\n  zone_id = "${zoneIds[0]!}"\n}\n${text}`,
      );
      const { plan } = await planIn(lab, zoneIds, '--method', 'blocks', '--from', '3');
      lab.asked();
      await carryOut(lab, plan);
      expect(forbidden(lab)).toEqual([]);
      expect(plan.steps.find(({ kind }) => kind === 'apply-blocks')!.expects!.gone).toEqual(
        expect.arrayContaining(addresses),
      );
      await expectEmptyPlan(lab);
    }));
});

describe('a second plan, after method blocks', () => {
  it('takes the import and removed blocks out again, and nothing else', () =>
    inWorld({ ...settings, zones: 2 }, async ({ lab, zoneIds }) => {
      const blocks = ['--method', 'blocks', '--from', '3'];
      await carryOut(lab, (await planIn(lab, zoneIds, ...blocks)).plan);
      expect(lab.read('cf-waf-migrate.tf')).toContain('removed {');
      lab.asked();
      const { plan, code } = await planIn(lab, zoneIds, '--from', '3');
      expect(plan.steps.map(({ kind }) => kind)).toEqual(['edit', 'check']);
      expect([code, plan.steps[0]!.edits!.map(({ file }) => file)]).toEqual([
        0,
        ['cf-waf-migrate.tf'],
      ]);
      await carryOut(lab, plan);
      expect(lab.read('cf-waf-migrate.tf').trim()).toBe('');
      expect(forbidden(lab)).toEqual([]);
      await expectEmptyPlan(lab);
      expect(
        (await planIn(lab, zoneIds, '--from', '3')).plan.steps.map(({ kind }) => kind),
      ).toEqual(['check']);
    }));
});

describe('commands', () => {
  it('trap 8.1: [S119, S120, S121, S122, S123] import first under provider 3, where no old data source is in the way', () =>
    inWorld({ ...settings, zones: 2, backend: 'http' }, async ({ lab, zoneIds }) => {
      const { plan } = await planIn(lab, zoneIds, '--from', '3');
      const kinds = plan.steps.map(({ kind }) => kind);
      expect(kinds.indexOf('import')).toBeLessThan(kinds.indexOf('remove'));
      lab.asked();
      await carryOut(lab, plan);
      expect(forbidden(lab)).toEqual([]);
      await expectEmptyPlan(lab);
    }));

  it('leave the other zone of a state alone while provider 3 stays', () =>
    inWorld({ ...settings, zones: 2 }, async ({ lab, zoneIds, resources }) => {
      const { plan, code } = await planIn(lab, zoneIds.slice(0, 1), '--from', '3');
      expect(code).toBe(2);
      // the old blocks of the other zone stay, and a full plan would ask for them
      expect(plan.steps.at(-1)!.expects).toEqual({ plan: 'target-empty' });
      await carryOut(lab, plan);
      const others = resources.filter(({ attributes }) => attributes['zone_id'] === zoneIds[1]);
      const left = await stateList(lab);
      expect(left).toEqual(expect.arrayContaining(others.map(({ address }) => address)));
      expect(left).toHaveLength(others.length + 1);
    }));

  it.each([4, 5] as const)('remove first under provider %s, which cannot plan before', (major) =>
    inWorld({ ...settings, zones: 2, major }, async ({ lab, zoneIds }) => {
      expect(await lab.plan()).toMatchObject({ outcome: 'error' });
      const { plan } = await planIn(lab, zoneIds, '--from', String(major));
      const kinds = plan.steps.map(({ kind }) => kind);
      expect(kinds.indexOf('remove')).toBeLessThan(kinds.indexOf('import'));
      lab.asked();
      await carryOut(lab, plan);
      expect(forbidden(lab)).toEqual([]);
      await expectEmptyPlan(lab);
    }),
  );

  it.each([
    ['3', '4'],
    ['3', '5'],
    ['4', '5'],
  ] as const)('remove, then change the provider from %s to %s', (from, to) =>
    inWorld(
      { ...settings, major: from === '3' ? 3 : 4, backend: 'http' },
      async ({ lab, zoneIds }) => {
        const { plan } = await planIn(lab, zoneIds, '--from', from, '--to', to);
        expect(plan.steps.map(({ kind }) => kind)).toContain('upgrade-provider');
        lab.asked();
        await carryOut(lab, plan);
        expect(forbidden(lab)).toEqual([]);
        await expectEmptyPlan(lab);
      },
    ),
  );
});

describe('two states', () => {
  it.each(['3', '4', '5'] as const)(
    'the ruleset in a new stack without state, the old state under provider %s',
    (from) =>
      inWorld(
        { ...settings, zones: 2, major: from === '3' ? 3 : from === '4' ? 4 : 5 },
        async ({ lab, zoneIds, addresses }) => {
          mkdirSync(join(lab.dir, 'stack'));
          lab.write('stack/provider.tf', lab.read('provider.tf'));
          await lab.terraform('-chdir=stack', 'init');
          const dirs = ['--dir', lab.dir, join(lab.dir, 'stack')];
          const { plan } = await planIn(lab, zoneIds, '--from', from, ...dirs);
          expect(plan.zones.map(({ ruleset }) => ruleset.state)).toEqual(['stack', 'stack']);
          lab.asked();
          await carryOut(lab, plan);
          expect(forbidden(lab)).toEqual([]);
          expect(await stateList(lab)).toEqual([]);
          expect(await stateList(lab, 'stack')).toHaveLength(2);
          expect(addresses.length).toBeGreaterThan(0);
          await expectEmptyPlan(lab);
          await expectEmptyPlan(lab, 'stack');
        },
      ),
  );
});
