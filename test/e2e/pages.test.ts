import { type Page } from 'playwright-core';
import { expectGolden } from '../generate/support/golden';
import { browserForTests, checkAccessibility } from '../support/browser/open-page';
import { pages } from '../support/browser/pages';

const { open, openApart } = browserForTests();

/**
 * The main boxes: their position in sixteenths of the width, and their text. Boxes in a fieldset are
 * as wide as their text: they have no position, because it depends on the fonts of the machine.
 */
const boxesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const kinds =
      'h1, .answer, .facts, .tiles li, main h2, main h3, .bars, .steps > li, #filters, .card > summary, .overview tr, .settings, .sign label';
    return [...document.querySelectorAll<HTMLElement>(kinds)]
      .filter(
        (box) =>
          box.checkVisibility() && box.closest('details:not([open]) > :not(summary)') === null,
      )
      .map((box) => {
        const { left, width } = box.getBoundingClientRect();
        const place =
          box.closest('fieldset') === null
            ? [left, width].map((one) => Math.round((16 * one) / innerWidth)).join('+')
            : 'inline';
        const text = box.innerText
          .replace(/\s+/g, ' ')
          .replace(/made 2\S+ \S+/, 'made')
          .slice(0, 70);
        return `${place} ${box.localName}${box.className === '' ? '' : `.${box.className}`}: ${text}`;
      });
  });

describe.each(Object.entries(pages))('the page: %s', (name, render) => {
  let html: string;
  beforeAll(async () => {
    html = await render();
  });

  it.each([390, 1280])(
    'at %i pixels has its boxes in place, and never scrolls sideways',
    async (width) => {
      const { page, complaints } = await open(html, { viewport: { width, height: 900 } });
      expect(complaints).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      const boxes = await boxesOf(page);
      expectGolden('pages', `${name.replaceAll(' ', '-')}-${width}.txt`, `${boxes.join('\n')}\n`);
    },
  );

  // colours are compared for each pair of elements, which takes most of the time
  const colours = { runOnly: ['color-contrast'] };
  it.each([
    ['in light', { colorScheme: 'light' }, {}],
    ['in dark', { colorScheme: 'dark' }, colours],
    ['with forced colours', { forcedColors: 'active' }, colours],
  ] as const)('%s has no violation of axe, whatever is folded', async (_, view, rules) => {
    const { page } = await open(html, view);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await checkAccessibility(page, structuredClone(rules))).toEqual([]);
  });

  it('is complete without scripts, and prints what is folded, dark on light', async () => {
    const { page } = await openApart(html, { javaScriptEnabled: false });
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('.answer').isVisible()).toBe(true);
    const printed = (await open(html, { colorScheme: 'dark' })).page;
    await printed.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // the content becomes visible with the next frame
    await printed.evaluate(() => new Promise(requestAnimationFrame));
    const hidden = await printed.evaluate(
      () =>
        [...document.querySelectorAll('details:not(.overview details) > :not(summary)')].filter(
          (part) => !part.checkVisibility({ contentVisibilityAuto: true }),
        ).length,
    );
    expect(hidden).toBe(0);
    expect(await printed.locator('#filters').isVisible()).toBe(false);
    expect(await printed.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect((await printed.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('leads a keyboard past the heading to the details', async () => {
    const { page } = await open(html);
    await page.keyboard.press('Tab');
    expect(await page.locator('.skip').evaluate((link) => link === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('could run nothing foreign even if it got through: the policy names what may run', async () => {
    const through = html.replace(
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
