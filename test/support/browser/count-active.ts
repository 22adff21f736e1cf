import { type Page } from 'playwright-core';

/** What of a page could act, load or lead away: nothing that a hostile text may add to. */
export function countActive(page: Page) {
  return page.evaluate(() => ({
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
}
