import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from '../temporary-folder';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Chromium from PATH, or else the one that Playwright installed. */
function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(existsSync) ?? chromium.executablePath();
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the page, dialogs, and requests beside the file itself. */
  readonly complaints: string[];
}

interface View {
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active';
}

export interface TestBrowser {
  /** Opens a page in the only tab, in place of the previous page. */
  readonly open: (html: string, view?: View) => Promise<OpenedPage>;
  /** Opens a page in a browser context with other options. */
  readonly openApart: (html: string, options: BrowserContextOptions) => Promise<OpenedPage>;
}

export function browserForTests(): TestBrowser {
  let browser: Browser | undefined;
  let tab: OpenedPage | undefined;
  let pages = 0;
  const folder = temporaryFolder();
  const isPage = (url: string): boolean => url.startsWith(pathToFileURL(folder).href);
  afterAll(() => browser?.close());
  async function newTab(options: BrowserContextOptions): Promise<OpenedPage> {
    // the sandbox of Chromium needs a user that is not root
    browser ??= await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    const page = await (await browser.newContext(options)).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!isPage(request.url())) complaints.push(`request: ${request.url()}`);
    });
    page.on('requestfinished', (request) => {
      if (!isPage(request.url())) complaints.push(`answered: ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return { page, complaints };
  }
  async function show(html: string, { page, complaints }: OpenedPage): Promise<OpenedPage> {
    const file = join(folder, `${(pages += 1)}.html`);
    writeFileSync(file, html);
    await page.goto(pathToFileURL(file).href);
    return { page, complaints };
  }
  return {
    open: async (html, { viewport, colorScheme, forcedColors } = {}) => {
      tab ??= await newTab({});
      await tab.page.setViewportSize(viewport ?? { width: 1280, height: 720 });
      await tab.page.emulateMedia({
        media: null,
        colorScheme: colorScheme ?? 'light',
        forcedColors: forcedColors ?? 'none',
      });
      tab.complaints.length = 0;
      return show(html, tab);
    },
    openApart: async (html, options) => show(html, await newTab(options)),
  };
}

/** The violations that axe finds in a page: rule and elements. */
export async function checkAccessibility(page: Page, options: axe.RunOptions): Promise<string[]> {
  await page.evaluate(axe.source);
  // by default it also lists each passing element, which takes seconds
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${asked})`);
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target }) => String(target)).join(', ')}`,
  );
}

/** The elements of a page that run, load or link something. Hostile text must not add any. */
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
