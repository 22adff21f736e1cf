import { renderReportHtml } from '../../src/report/formats/html';
import { type Report } from '../../src/report/report';
import { checkAccessibility } from '../support/browser/check-accessibility';
import { browserForTests } from '../support/browser/open-page';
import { first, many, one, seen, settled, second } from '../support/browser/report-page';

const open = browserForTests();

/** A row of each kind, and little else: axe looks at every element for as long as at any other. */
const few: Report = {
  zones: [
    { ...first, parity: { ...first.parity, settings: oneOfEach(first.parity.settings) } },
    second,
  ],
};

function oneOfEach<Row extends { status: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.status, row])).values()];
}

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
      const { page } = await open(renderReportHtml(few), options);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      expect(await checkAccessibility(page)).toEqual([]);
    },
    300_000,
  );

  it('finds nothing of it in a report of one zone, folded as it opens', async () => {
    const { page } = await open(renderReportHtml(one));
    expect(await checkAccessibility(page)).toEqual([]);
  }, 300_000);

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
