import fc from 'fast-check';
import { type Page } from 'playwright-core';
import { parseOldSettings } from '../../src/actions/read-old-settings';
import { reportOurs } from '../../src/actions/report-zones';
import { type OldSettings } from '../../src/model/old-settings';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { renderReportHtml } from '../../src/translate/formats/html';
import { type Report, type ZoneReport } from '../../src/translate/formats/report';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statesFolder } from '../plan/support/plans';
import { checkAccessibility } from '../support/browser/check-accessibility';
import { hostileTexts } from '../support/browser/hostile';
import { browserForTests } from '../support/browser/open-page';
import { randomZone } from '../translate/support/random-zone';

const open = browserForTests();
const catalogue = builtInCatalogue();
const reportOf = (zones: readonly OldSettings[]): Report => ({
  zones: zones.map((zone) => reportOurs(zone, { catalogue })),
});
const bytes = readFileSync(join(statesFolder, 'old-waf-3.35.tfstate'));
const many = reportOf(parseOldSettings([bytes]).zones);
const one: Report = { zones: many.zones.slice(0, 1) };
const [first] = many.zones as [ZoneReport];

/** The rows that are there, seen or not. */
const rows = (page: Page, status?: string) =>
  page.locator(`tr[data-status${status === undefined ? '' : `="${status}"`}]`);
const seen = async (page: Page, status?: string) => {
  let count = 0;
  for (const row of await rows(page, status).all()) if (await row.isVisible()) count += 1;
  return count;
};
const settled = (page: Page, text: RegExp) => page.locator('#shown', { hasText: text }).waitFor();

describe('the HTML report', () => {
  it('opens without a complaint, and asks for nothing beside itself', async () => {
    for (const report of [one, many, { zones: [] }]) {
      const { page, complaints } = await open(renderReportHtml(report));
      expect(complaints).toEqual([]);
      expect(await page.locator('h1').innerText()).toBe('What becomes of the old WAF settings');
    }
  });

  it('shows the summary before anything else, and every setting in one row', async () => {
    const { page } = await open(renderReportHtml(one));
    const { summary, settings } = first.parity;
    expect(await page.locator('.tiles strong').allInnerTexts()).toEqual(
      [summary.lost, summary.changed, summary.kept, summary.withoutEffect].map(String),
    );
    expect(await rows(page).count()).toBe(settings.length);
    for (const { status } of settings) {
      const count = settings.filter((row) => row.status === status).length;
      expect(await rows(page, status).count()).toBe(count);
    }
    const places = await rows(page).locator('.where code').allInnerTexts();
    const { printable } = await import('../../src/model/printable');
    expect(places.sort()).toEqual(
      settings.map(({ from, attribute }) => printable(`${from}.${attribute}`)).sort(),
    );
  });

  it('has one row for each setting of any zone, and says why where it is not kept', async () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const report = reportOf(fc.sample(randomZone, { numRuns: 12, seed }));
    const { page, complaints } = await open(renderReportHtml(report));
    const total = report.zones.reduce((sum, { parity }) => sum + parity.settings.length, 0);
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('tr[data-status]:not([data-status="new"])')].map((row) => ({
        status: row.getAttribute('data-status') ?? '',
        after: row.children[2]?.textContent ?? '',
        why: row.children[3]?.textContent ?? '',
      })),
    );
    expect({ seed, complaints, rows: found.length }).toEqual({ seed, complaints: [], rows: total });
    for (const { status, after, why } of found) {
      expect(after).not.toBe('');
      if (status === 'lost' || status === 'without-effect') expect(why).not.toBe('');
    }
  });

  it('puts old and new side by side for each managed ruleset', async () => {
    const { page } = await open(renderReportHtml(one));
    expect(await page.locator('.family h3').allInnerTexts()).toEqual([
      'Cloudflare Managed Ruleset',
      'Cloudflare OWASP Core Ruleset',
      'Exceptions',
    ]);
    const row = page.locator('.family', { hasText: 'OWASP Core' }).locator('tr.changed');
    expect(await row.locator('th').innerText()).toContain(
      'OWASP ModSecurity Core Rule Set: sensitivity\nwas medium',
    );
    expect(await row.locator('td').nth(1).innerText()).toBe('paranoia level 1, score threshold 25');
    await page.getByText('The new ruleset: 1 rule, and where they come from').first().click();
    expect(await page.locator('.rules').nth(1).innerText()).toContain(
      'Comes from: cloudflare_waf_package.owasp.sensitivity, cloudflare_waf_package.owasp.action_mode',
    );
  });

  it('shows what the documentation contradicts itself about', async () => {
    const { page } = await open(renderReportHtml(one));
    await page.getByText(/^Good to know/).click();
    for (const code of ['OWASP_DEFAULT_LEVEL_UNCLEAR', 'OWASP_MEDIUM_STRICTER']) {
      expect(await page.getByText(code).isVisible()).toBe(true);
    }
  });
});

describe('filters and search', () => {
  it('narrow the rows by result, and say how many are left', async () => {
    const { page, complaints } = await open(renderReportHtml(one));
    await settled(page, /^32 of 32 rows shown$/);
    await page.getByLabel('Lost').uncheck();
    await settled(page, /^9 of 32 rows shown$/);
    expect([await seen(page, 'lost'), await seen(page)]).toEqual([0, 9]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await settled(page, /^32 of 32 rows shown$/);
    expect([await seen(page), complaints]).toEqual([32, []]);
  });

  it('find words in addresses, titles and reasons, in any order and case', async () => {
    const { page } = await open(renderReportHtml(one));
    await page.getByLabel('Search').fill('INCLUSION dotnetnuke');
    await settled(page, /^1 of 32 rows shown$/);
    expect(await page.locator('tr[data-status]:visible').innerText()).toContain('100005');
    expect(await page.locator('.family:visible').count()).toBe(1);
    await page.getByLabel('Search').fill('nothing has this');
    await settled(page, /^0 of 32 rows shown$/);
  });

  it('hide zones of which nothing is left', async () => {
    const { page } = await open(renderReportHtml(many));
    await page.getByLabel('Search').fill('module.counted[0]');
    await settled(page, /^7 of 60 rows shown in 1 of 5 zones$/);
    expect(await page.locator('.zone:visible h2').innerText()).toContain('2'.repeat(32));
    await page.getByLabel('Search').fill('3'.repeat(32));
    await settled(page, /^7 of 60 rows shown in 1 of 5 zones$/);
  });

  it('are not there without scripts, and everything else is', async () => {
    const { page } = await open(renderReportHtml(one), { javaScriptEnabled: false });
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await rows(page).first().isVisible()).toBe(true);
    expect(await rows(page).count()).toBe(32);
  });
});

describe('the overview of several zones', () => {
  it('adds them up, puts those that lose most first, and leads into each', async () => {
    const { page } = await open(renderReportHtml(many));
    const lost = many.zones.map(({ parity }) => parity.summary.lost);
    expect(await page.locator('#overview .tiles strong').first().innerText()).toBe(
      String(lost.reduce((sum, count) => sum + count, 0)),
    );
    const shown = await page.locator('.overview tbody tr td:nth-child(2)').allInnerTexts();
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
  // what the program itself decides, and compares
  const words = new Set(['kind', 'status', 'severity', 'package', 'action', 'ruleset']);

  it('scripts nothing, loads nothing and adds no element, wherever it stands', async () => {
    const bad = hostile({ zones: many.zones.map((zone) => ({ ...zone, name: 'x' })) }, words);
    const { page, complaints } = await open(renderReportHtml(bad));
    const counts = await page.evaluate(() => ({
      pwned: 'pwned' in window,
      scripts: document.scripts.length,
      styles: document.querySelectorAll('style, link').length,
      loaded: document.querySelectorAll('img, iframe, object, embed, base, form, video').length,
      odd: [...document.querySelectorAll('*')].filter((element) =>
        [...element.attributes].some(({ name }) => name.startsWith('on') || name === 'style'),
      ).length,
      links: [...document.querySelectorAll('a')].filter(
        (link) => !link.getAttribute('href')?.startsWith('#'),
      ).length,
    }));
    expect(counts).toEqual({ pwned: false, scripts: 1, styles: 1, loaded: 0, odd: 0, links: 0 });
    expect(complaints).toEqual([]);
    const text = await page.locator('body').innerText();
    expect(text).toContain('<script>pwned()</script>');
    expect(text).toContain('&lt;script&gt;pwned()');
    expect(text).toContain('\\u{202e}evil\\u{0}\\u{1b}[31m\\u{d800}');
  });

  it('could run nothing even if it got through: the policy names what may run', async () => {
    const through = renderReportHtml(one).replace(
      '</h1>',
      '</h1><script>window.pwned = 1</script><img src="x" onerror="window.pwned = 2"><style>h1 { color: red }</style><b id="styled" style="color: red">x</b><img src="https://evil.example/x.png">',
    );
    const { page, complaints } = await open(through);
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    const colours = await page.evaluate(() =>
      ['h1', '#styled'].map((one) => getComputedStyle(document.querySelector(one)!).color),
    );
    expect(colours).not.toContain('rgb(255, 0, 0)');
    expect(complaints.filter((one) => one.includes('Content Security Policy'))).not.toEqual([]);
    expect(complaints.filter((one) => one.startsWith('answered:'))).toEqual([]);
  });
});

describe('a reader', () => {
  const looks = [
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['on a narrow screen', { viewport: { width: 320, height: 700 } }],
    ['who wants more contrast', { forcedColors: 'active' }],
  ] as const;

  it.each(looks)(
    '%s finds a page that axe has nothing against',
    async (_, options) => {
      const two = { zones: many.zones.slice(0, 2) };
      const { page } = await open(renderReportHtml(two), options);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      expect(await checkAccessibility(page)).toEqual([]);
    },
    180_000,
  );

  it('finds nothing of it in a report of one zone, folded as it opens', async () => {
    const { page } = await open(renderReportHtml(one));
    expect(await checkAccessibility(page)).toEqual([]);
  }, 180_000);

  it('sees dark on light or light on dark, as the system says', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open(renderReportHtml(one), { colorScheme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    };
    expect(await background('light')).toBe('rgb(255, 255, 255)');
    expect(await background('dark')).toBe('rgb(13, 17, 23)');
  });

  it('on a narrow screen never scrolls sideways, whatever the texts', async () => {
    const long = 'x'.repeat(400);
    const wide: Report = {
      zones: [{ ...first, name: long, against: long }, ...many.zones.slice(1)].map((zone) => ({
        ...zone,
        parity: {
          ...zone.parity,
          settings: zone.parity.settings.map((row) => ({
            ...row,
            from: long,
            value: long,
            why: long,
          })),
        },
      })),
    };
    const { page } = await open(renderReportHtml(wide), { viewport: { width: 320, height: 700 } });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    // laid out as cards, it is still a table to a screen reader
    expect(await page.getByRole('table').count()).toBeGreaterThan(1);
    expect(await page.getByRole('rowheader').count()).toBe(65);
  });

  it('with a keyboard alone skips to the report, filters and opens what is folded', async () => {
    const { page } = await open(renderReportHtml(one));
    const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
    await page.keyboard.press('Tab');
    expect(await page.locator('.skip').evaluate((link) => link === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('report');
    for (let press = 0; press < 6 && (await focused()) !== 'search'; press += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('sensitivity');
    await settled(page, /^1 of 32 rows shown$/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByLabel('Lost').isChecked()).toBe(false);
    await page.locator('footer summary').focus();
    await page.keyboard.press('Enter');
    expect(await page.getByText('Paranoia level', { exact: true }).isVisible()).toBe(true);
  });

  it('is led to the words that are explained', async () => {
    const { page } = await open(renderReportHtml(one));
    await page.getByRole('link', { name: 'What the words mean' }).click();
    await page.getByText('Paranoia level', { exact: true }).waitFor({ state: 'visible' });
  });

  it('on paper gets everything, dark on light, without what only a screen can do', async () => {
    const { page } = await open(renderReportHtml(many), { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await seen(page)).toBe(60);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('details[open]').count()).toBe(0);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('on paper is told when rows are filtered away', async () => {
    const { page } = await open(renderReportHtml(one));
    await page.getByLabel('Lost').uncheck();
    await page.emulateMedia({ media: 'print' });
    const note = () => page.evaluate(() => getComputedStyle(document.body, '::before').content);
    expect(await note()).toContain('Filtered');
    await page.evaluate(() => {
      document.querySelector<HTMLButtonElement>('#reset')?.click();
    });
    expect(await note()).toBe('none');
  });
});
