import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from '../temporary-folder';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The one in PATH, else the one that Playwright has installed. */
function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(existsSync) ?? chromium.executablePath();
}

/** A page, and what went wrong or out of it since it was opened. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the page, dialogs, and requests beside the file itself. */
  readonly complaints: string[];
}

/** The browser of a test file, started for its first page and stopped at its end. */
export function browserForTests(): (
  html: string,
  options?: BrowserContextOptions,
) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());
  return async (html, options = {}) => {
    // the sandbox of Chromium needs a user that is not root
    browser ??= await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    const file = join(temporaryFolder(), 'page.html');
    writeFileSync(file, html);
    const url = pathToFileURL(file).href;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (request.url() !== url) complaints.push(`request: ${request.url()}`);
    });
    page.on('requestfinished', (request) => {
      if (request.url() !== url) complaints.push(`answered: ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(url);
    return { page, complaints };
  };
}
