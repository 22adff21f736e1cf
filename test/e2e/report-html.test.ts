import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Page } from 'playwright-core';
import { renderReportHtml } from '../../src/report/formats/html';
import { type Report } from '../../src/report/report';
import { builtInCatalogue } from '../../src/translate/catalogue/catalogue';
import { type LegacySettings } from '../../src/translate/source/legacy-settings';
import { readSettingsFromStates } from '../../src/translate/source/settings-from-state';
import { translateZone } from '../../src/translate/translate-zone';
import { statesFolder } from '../plan/support/plans';
import { setting, zoneOf } from '../report/support/reports';
import { hostileTexts } from '../support/browser/hostile';
import { browserForTests, countActive } from '../support/browser/open-page';
import { made } from '../support/browser/pages';
import { randomZone } from '../translate/support/random-zone';

// test/e2e/pages.test.ts has the boxes of the whole page in golden files, test/report/formats.test.ts its text

const { open } = browserForTests();

/** The report of zones, as `report` makes it. */
const reportOf = (zones: readonly LegacySettings[]): Report => ({
  zones: zones.map((zone) => ({
    ...translateZone(zone, { catalogue: builtInCatalogue() }),
    against: 'the ruleset translated from its legacy settings',
  })),
});

const bytes = readFileSync(join(statesFolder, 'old-waf-3.35.tfstate'));
/** Of five zones: the first has 32 settings, the others have seven each. */
const many = reportOf(readSettingsFromStates([bytes]).zones);
const one: Report = { zones: many.zones.slice(0, 1) };

/** The number of visible rows. */
const seen = (page: Page, status = '') =>
  page.locator(`tr[data-tone${status === '' ? '' : `="${status}"`}]:not([hidden])`).count();

/** Waits until the page shows this count of rows. */
const settled = (page: Page, text: RegExp) => page.locator('#shown', { hasText: text }).waitFor();

describe('the HTML report', () => {
  it.each([
    ['nothing to migrate', [], 'There are no legacy WAF settings to migrate.'],
    ['one lost', ['lost'], '1 of 1 setting is lost and needs a decision.'],
    ['changes', ['changed', 'kept'], 'No setting is lost, but check the changes and decisions.'],
    ['all kept', ['kept', 'kept'], 'No setting is lost or changed: 2 settings kept.'],
  ] as const)('answers where there is %s', async (_, statuses, answer) => {
    const zone = zoneOf(statuses.map((status) => setting({ status })));
    const { page } = await open(renderReportHtml({ zones: [zone] }, made));
    expect(await page.locator('.answer p').first().innerText()).toBe(answer);
    const facts = await page.locator('.facts').innerText();
    expect(facts).toMatch(/made 2026-11-23 16:24 UTC.* by cf-waf-migrate 1\.2\.3/);
  });

  it('has one row for each setting of any zone, and says why where it is not kept', async () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const report = reportOf(fc.sample(randomZone, { numRuns: 12, seed }));
    const { page, complaints } = await open(renderReportHtml(report));
    const total = report.zones.reduce((sum, { parity }) => sum + parity.settings.length, 0);
    const found = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.card:not(.new) tbody tr')].map((row) => ({
        after: row.children[2]?.textContent ?? '',
        why: row.closest('.card')?.querySelector('.why')?.textContent ?? '',
      })),
    );
    expect({ seed, complaints, rows: found.length }).toEqual({ seed, complaints: [], rows: total });
    for (const { after, why } of found) expect([after, why]).not.toContain('');
  });
});

describe('filters and search', () => {
  it('narrow the rows by result, and say how many are left', async () => {
    const { page, complaints } = await open(renderReportHtml(one));
    await settled(page, /^32 of 32 rows shown$/);
    await page.getByLabel('Lost').uncheck();
    await settled(page, /^7 of 32 rows shown$/);
    expect([await seen(page, 'lost'), await seen(page)]).toEqual([0, 7]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await settled(page, /^32 of 32 rows shown$/);
    expect([await seen(page), complaints]).toEqual([32, []]);
  });

  it('find words in addresses, titles and reasons, in any order and case', async () => {
    const { page } = await open(renderReportHtml(one));
    await page.getByLabel('Search').fill('INCLUSION dotnetnuke');
    await settled(page, /^1 of 32 rows shown$/);
    expect(await page.locator('tr[data-tone]:visible').innerText()).toContain('100005');
    expect(await page.locator('.card:visible').count()).toBe(1);
    await page.getByLabel('Search').fill('nothing has this');
    await settled(page, /^0 of 32 rows shown$/);
  });

  it('filter 10,000 settings within 100 ms, on a page below 10 MB', async () => {
    const settings = Array.from({ length: 10_000 }, (_, at) =>
      setting({
        subject: String(100_000 + at),
        title: `Joomla - Remote code execution ${at % 97}`,
        from: `module.waf["zone-${at % 40}"].cloudflare_waf_rule.rule["${at}"]`,
        status: (['lost', 'changed', 'kept', 'without-effect'] as const)[at % 4]!,
      }),
    );
    const html = renderReportHtml({ zones: [zoneOf(settings)] });
    expect(html.length).toBeLessThan(10_000_000);
    const { page } = await open(html);
    const took = (text: string) =>
      page.evaluate((value) => {
        const search = document.querySelector<HTMLInputElement>('#search')!;
        search.value = value;
        const began = performance.now();
        search.dispatchEvent(new Event('input', { bubbles: true }));
        document.body.getBoundingClientRect();
        return performance.now() - began;
      }, text);
    await took('joomla');
    // the minimum of several runs, because the machine has other load
    const times: number[] = [];
    for (const text of ['execution 7', 'zone-12', 'e', 'execution 96'])
      times.push(await took(text));
    expect(Math.min(...times)).toBeLessThan(100);
    await settled(page, /of 10,000 rows shown/);
  });
});

describe('the overview of several zones', () => {
  it('sorts by any column', async () => {
    const { page } = await open(renderReportHtml(many));
    const column = (at: number) =>
      page.locator(`.overview tbody td:nth-child(${at})`).allInnerTexts();
    await page.getByRole('button', { name: 'No effect' }).click();
    expect((await column(6)).map(Number)).toEqual([4, 2, 2, 2, 2]);
    await page.getByRole('button', { name: 'No effect' }).press('Enter');
    expect((await column(6)).map(Number)).toEqual([2, 2, 2, 2, 4]);
    const head = page.getByRole('columnheader', { name: 'No effect' });
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
  });

  it('adds them up, puts those that lose most first, and leads into each', async () => {
    const { page } = await open(renderReportHtml(many));
    const lost = many.zones.map(({ parity }) => parity.summary.lost);
    expect(await page.locator('.tiles strong').first().innerText()).toBe(
      String(lost.reduce((sum, count) => sum + count, 0)),
    );
    const shown = await page.locator('.overview tbody tr td:nth-child(3)').allInnerTexts();
    expect(shown).toEqual(lost.toSorted((a, b) => b - a).map(String));
    for (const link of await page.locator('.overview a').all()) {
      const name = await link.innerText();
      await link.click();
      const target = page.locator(':target h2');
      expect(await target.innerText()).toContain(name);
      await expect(
        target.evaluate((head) => head.getBoundingClientRect().top),
      ).resolves.toBeLessThan(1000);
      await page.locator(':target').getByText('Back to all zones').click();
    }
  });
});

describe('text from outside', () => {
  /** The report with each text of one kind replaced by a hostile one, in turn. */
  function hostile(report: Report, keep: ReadonlySet<string>): Report {
    let turn = 0;
    const change = (value: unknown, key: string): unknown => {
      if (typeof value === 'string') {
        if (keep.has(key)) return value;
        turn += 1;
        return `${hostileTexts[turn % hostileTexts.length]} ${turn}`;
      }
      if (Array.isArray(value)) return value.map((item) => change(item, key));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, change(item, name)]),
      );
    };
    return change(report, '') as Report;
  }
  // text that the program writes itself, and compares
  const words = new Set(['kind', 'status', 'severity', 'package', 'action', 'ruleset']);

  it('scripts nothing, loads nothing and adds no element, wherever it stands', async () => {
    const bad = hostile({ zones: many.zones.map((zone) => ({ ...zone, name: 'x' })) }, words);
    const { page, complaints } = await open(renderReportHtml(bad));
    const nothing = { pwned: false, scripts: 1, styles: 1, loaded: 0, odd: 0, links: 0 };
    expect(await countActive(page)).toEqual(nothing);
    expect(complaints).toEqual([]);
    const text = await page.locator('body').innerText();
    expect(text).toContain('<script>pwned()</script>');
    expect(text).toContain('&lt;script&gt;pwned()');
    expect(text).toContain('\\u{202e}evil\\u{0}\\u{1b}[31m\\u{d800}');
  });
});
