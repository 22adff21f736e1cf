import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderFleetHtml } from '../../src/fleet/html';
import { type LedgerEntry } from '../../src/fleet/ledger';
import { hostileTexts } from '../support/browser/hostile';
import { browserForTests, countActive } from '../support/browser/open-page';
import { begin, idOf, step } from '../support/browser/pages';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

// test/e2e/pages.test.ts has the boxes of the whole page in golden files

const { open } = browserForTests();
const fleet = (entries: readonly LedgerEntry[]) => open(renderFleetHtml(entries));

describe('the page of many zones', () => {
  it.each(['a(', '(a|a)*!'])('is made for a zone that is named %s', (name) => {
    const line = `${name}: refused ${'a'.repeat(60)}`;
    const page = renderFleetHtml([
      begin('check', [0], 1),
      step('check', 0, 'failed', 2, { name, line }),
    ]);
    expect(page).toContain('the zone: refused');
  });

  it('takes where a zone is from its last successful step', async () => {
    const cases: [entries: string, state: string, result?: object][] = [
      ['finish done, report failed', 'Migrated'],
      ['finish done, apply failed', 'Failed'],
      ['check done', 'Under way', { migrationState: 'validation' }],
      ['check done, finish failed', 'Failed', { migrationState: 'start' }],
      // a run was killed
      ['finish begin, finish start', 'Failed'],
      ['finish begin', 'Not started'],
    ];
    const entries = cases.flatMap(([words, , result = {}], zone) =>
      words.split(', ').map((word, minute): LedgerEntry => {
        const [stage = '', kind] = word.split(' ');
        if (kind === 'begin') return begin(stage, [zone], minute);
        if (kind === 'failed') return step(stage, zone, 'failed', minute);
        const done = step(stage, zone, 'done', minute, { result });
        return kind === 'start' ? { ...done, event: 'start' } : done;
      }),
    );
    const { page } = await fleet(entries);
    const shown = await page
      .locator('.overview tbody tr')
      .evaluateAll((found) =>
        found.map((row) => [
          row.querySelector('.what')?.textContent,
          row.querySelector('td')?.innerText,
        ]),
      );
    for (const [at, [words, state]] of cases.entries()) {
      const row = shown.find(([zone]) => zone === `zone-${at}.example.com`);
      expect([words, row]).toEqual([words, [expect.anything(), expect.stringContaining(state)]]);
    }
  });

  it('groups failures by their cause, with the command that resumes', async () => {
    const failed = [2, 3, 4].map((number) =>
      step('finish', number, 'failed', number, {
        line: `zone ${idOf(number)} was not changed in r/${idOf(number)}.html`,
      }),
    );
    const { page } = await fleet([
      begin('finish', [2, 3, 4], 1),
      ...failed,
      step('finish', 0, 'done', 9),
      step('report', 0, 'failed', 10),
    ]);
    const items = page.locator('section > .steps > li');
    expect(await items.count()).toBe(1);
    const text = await items.innerText();
    expect(text).toContain('the zone was not changed in r/');
    expect(text).toContain('3 zones');
    expect(text).toContain('cf-waf-migrate finish --zones zones.txt');
  });

  it('shows the message of each zone where one code has several causes', async () => {
    const { page } = await fleet([
      step('check', 2, 'failed', 1, { line: 'Cloudflare answered 503' }),
      step('check', 3, 'failed', 2, { line: 'Cloudflare answered 502' }),
    ]);
    const names = await page.locator('section > .steps li li').allTextContents();
    expect(names).toEqual(['zone-2.example.com', 'zone-3.example.com: Cloudflare answered 502']);
  });

  it('groups what needs the user by its findings, with the remedy, and a blocked zone once', async () => {
    const override = (number: number) => ({
      ...{ code: 'URI_OVERRIDE', severity: 'blocker', subject: idOf(number), message: 'it blocks' },
      remedy: `delete it:\ncf-waf-migrate firewall overrides delete --id ${idOf(number)}`,
    });
    const blocked = (stage: string, number: number, minute: number) =>
      step(stage, number, 'attention', minute, {
        ...{ line: `cannot migrate ${stage}/${idOf(number)}.txt` },
        result: { findings: [override(number)] },
      });
    const lost = [2, 3, 4].map((number) =>
      step('report', number, 'attention', number, { line: `1 lost: wrote r/${idOf(number)}.html` }),
    );
    const refusal = (number: number) => ({
      text: `zone-${number}.example.com`,
      error: {
        ...{ code: 'MIGRATION_BLOCKED', message: `zone-${number} is blocked`, hint: 'see check' },
        findings: [override(number)],
      },
    });
    const { page } = await fleet([
      begin('report', [0, 1, 2, 3, 4], 1),
      ...[0, 1].flatMap((at) => [blocked('check', at, 2), blocked('report', at, 3)]),
      ...lost,
      { ...begin('finish', [], 9), refused: [refusal(0), refusal(1)] } as LedgerEntry,
    ]);
    const items = await page.locator('section > .steps > li').allTextContents();
    expect(items.map((text) => /^\S+\s*(\w+ \w+)/.exec(text)?.[1])).toEqual([
      ...['attention report', 'attention report', 'refused finish'],
    ]);
    expect(items[0]).toContain('3 zones');
    for (const item of [items[1], items[2]]) {
      expect(item).toMatch(/2 (zones|refused)/);
      for (const number of [0, 1]) expect(item).toContain(`overrides delete --id ${idOf(number)}`);
    }
  });

  it('shows hostile names and lines as text: nothing runs, loads or becomes an element', async () => {
    const bad = hostileTexts.flatMap((text, number): LedgerEntry[] => {
      const error = { code: text, message: text, hint: text, causes: [text] };
      const own = { name: text, line: text, error };
      const list = { ...begin(text, [number], 1), command: text };
      return [list, step(text, number, 'done', 2, own), step('check', number, 'failed', 3, own)];
    });
    const { page, complaints } = await fleet(bad);
    const nothing = { pwned: false, scripts: 1, styles: 1, loaded: 0, odd: 0 };
    expect(await countActive(page)).toMatchObject(nothing);
    expect(complaints).toEqual([]);
    const text = await page.locator('body').innerText();
    expect(text).toContain('<script>pwned()</script>');
    expect(text).toContain('\\u{202e}evil\\u{0}\\u{1b}[31m\\u{d800}');
  });

  it('is what fleet status writes of a ledger, with its exit code', async () => {
    const cwd = temporaryFolder();
    const line = step('check', 1, 'attention', 1, { name: '<b>x' });
    writeFileSync(join(cwd, 'l'), `${JSON.stringify(line)}\n`);
    const page = ['fleet', 'status', '--ledger', 'l', '--format', 'html'];
    const printed = await runCli(page, { cwd });
    expect([printed.code, printed.stdout]).toEqual([2, expect.stringContaining('&lt;b&gt;x')]);
    const written = await runCli([...page, '--out', 'fleet.html'], { cwd });
    expect([written.code, written.stdout]).toEqual([2, 'wrote fleet.html\n']);
    const again = await runCli([...page, '--out', 'l'], { cwd });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('FILE_EXISTS')]);
  });
});
