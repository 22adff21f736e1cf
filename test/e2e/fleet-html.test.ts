import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderFleetHtml } from '../../src/fleet/html';
import { type ZoneOutcomeKind } from '../../src/fleet/ledger';
import { type ZoneStanding } from '../../src/fleet/standings';
import { checkAccessibility } from '../support/browser/check-accessibility';
import { countActive } from '../support/browser/count-active';
import { hostileTexts } from '../support/browser/hostile';
import { browserForTests } from '../support/browser/open-page';
import { runCli } from '../support/run-cli';

const open = browserForTests();
const at = (minute: number): string => `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`;
const id = (number: number): string => number.toString(16).padStart(32, 'f');
const error = { code: 'API_UNAUTHORIZED', message: 'no', hint: 'check the token', causes: [] };
const standing = (outcome: ZoneOutcomeKind, line: string, minute = 0) => ({
  outcome,
  line,
  at: at(minute),
  request: '{}',
  ...(outcome === 'failed' ? { error } : { result: {} }),
});
const zones: ZoneStanding[] = Array.from({ length: 40 }, (_, number) => ({
  zone: id(number),
  name: `zone-${number}.example.com`,
  stages: {
    apply: standing(number === 3 ? 'failed' : 'done', 'all 6 steps are done', 5),
    check: standing(number === 7 ? 'attention' : 'done', 'may migrate (migration state: start)'),
    ...(number === 9
      ? {}
      : { finish: standing(number === 5 ? 'waiting' : 'done', 'has moved: ruleset 0') }),
  },
}));

describe('the page of where all zones stand', () => {
  it('counts each zone once, by its worst command, and puts what failed first', async () => {
    const { page, complaints } = await open(renderFleetHtml(zones, [], []));
    expect(await page.locator('.tiles strong').allInnerTexts()).toEqual(['1', '1', '1', '37']);
    const rows = page.locator('.overview tbody tr');
    expect(await rows.count()).toBe(40);
    expect(await rows.nth(0).locator('.what').innerText()).toBe('zone-3.example.com');
    expect(await rows.nth(1).locator('.what').innerText()).toBe('zone-7.example.com');
    // in the order of the way of a zone, not of the alphabet
    expect(await page.locator('.overview thead th').allInnerTexts()).toEqual([
      'Zone',
      'check',
      'finish',
      'apply',
    ]);
    expect(await page.locator('.overview tbody').innerText()).toContain('not begun');
    const items = await page.locator('.findings li').allInnerTexts();
    expect(items).toHaveLength(3);
    expect(items[0]).toMatch(/failed zone-3.*apply.*API_UNAUTHORIZED[^]*→ check the token/);
    expect(items[2]).toContain('finish: 1 zone not begun');
    expect(await page.locator('main > p time').innerText()).toBe(at(5));
    expect(complaints).toEqual([]);
  });

  it('shows hostile names and lines as text: nothing runs, loads or becomes an element', async () => {
    const bad = hostileTexts.map((text, number) => ({
      zone: id(number),
      name: text,
      stages: {
        [text]: standing('done', text),
        check: { ...standing('failed', text), error: { ...error, code: text, hint: text } },
      },
    }));
    const finding = { code: 'X', severity: 'info', remedy: '' } as const;
    const findings = hostileTexts.map((text) => ({ ...finding, subject: text, message: text }));
    const { page, complaints } = await open(renderFleetHtml(bad, [], findings));
    expect(await countActive(page)).toEqual({
      pwned: false,
      scripts: 0,
      styles: 1,
      loaded: 0,
      odd: 0,
      links: 0,
    });
    expect(complaints).toEqual([]);
    const text = await page.locator('body').innerText();
    expect(text).toContain('<script>pwned()</script>');
    expect(text).toContain('\\u{202e}evil\\u{0}\\u{1b}[31m\\u{d800}');
  });

  it.each([
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['on a narrow screen', { viewport: { width: 320, height: 700 } }],
  ] as const)('is a page %s that axe has nothing against', async (_, options) => {
    const { page } = await open(renderFleetHtml(zones.slice(0, 10), [], []), options);
    expect(await checkAccessibility(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });

  it('is what fleet status writes of a ledger, with its exit code', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-'));
    try {
      const entry = { event: 'zone', stage: 'check', request: '{}', zone: id(1), name: '<b>x' };
      const line = { ...entry, outcome: 'attention', line: 'may not migrate', at: at(1) };
      writeFileSync(join(cwd, 'l'), `${JSON.stringify(line)}\n`);
      const page = ['fleet', 'status', '--ledger', 'l', '--format', 'html'];
      const printed = await runCli(page, { cwd });
      expect([printed.code, printed.stdout]).toEqual([2, expect.stringContaining('&lt;b&gt;x')]);
      const written = await runCli([...page, '--out', 'fleet.html'], { cwd });
      expect([written.code, written.stdout]).toEqual([2, 'wrote fleet.html: 1 zone\n']);
      const again = await runCli([...page, '--out', 'l'], { cwd });
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('FILE_EXISTS')]);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});
