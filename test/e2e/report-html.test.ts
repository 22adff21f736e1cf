import fc from 'fast-check';
import { renderReportHtml } from '../../src/report/formats/html';
import { type Report } from '../../src/report/report';
import { countActive } from '../support/browser/count-active';
import { hostileTexts } from '../support/browser/hostile';
import { browserForTests } from '../support/browser/open-page';
import { first, many, one, reportOf, rows, seen, settled } from '../support/browser/report-page';
import { randomZone } from '../translate/support/random-zone';

const open = browserForTests();

describe('the HTML report', () => {
  it('opens without a complaint, and asks for nothing beside itself', async () => {
    for (const report of [one, many, { zones: [] }]) {
      const { page, complaints } = await open(renderReportHtml(report));
      expect(complaints).toEqual([]);
      expect(await page.locator('h1').innerText()).toBe('What happens to the legacy WAF settings');
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
    const { printable } = await import('../../src/core/printable');
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
    expect(await countActive(page)).toEqual({
      pwned: false,
      scripts: 1,
      styles: 1,
      loaded: 0,
      odd: 0,
      links: 0,
    });
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
