import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf, jsonOf } from '../support/cli-lab';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { reviewed } from '../support/browser/pages';
import { event, lines, sample } from './support/event-files';
import { deploying } from './support/review-of';
import { runDuckDb } from './support/duckdb';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const save = (name: string, text: string): void => {
  writeFileSync(join(folder, name), text);
};
const review = (...args: string[]) => runCli(['review', ...args], { cwd: folder });

const hostile = {
  ...event(
    '"><script>alert(1)</script>',
    'waf',
    'block',
    '=cmd|calc!A1',
    '/<img src=x>|`a`\u001b[31m',
  ),
  ClientRequestQuery: '?a="b",c',
};

test('the text has its basis, the outcomes, and the rules with their samples', async () => {
  save('a', lines(sample));
  const { stdout, code } = await review('--events', 'a');
  expect(code).toBe(2);
  expect(stdout).toContain('Based on 7 events from 5 requests, in 1 file.');
  expect(stdout).toMatch(/1 +20 % {2}only the legacy WAF acts/);
  expect(stdout).toContain('1 request would no longer be blocked (block), 20 %, 1 client');
  expect(stdout).toContain('e.g. ray 3: GET shop.example.com/login from 192.0.2.1');
});

test('a share that rounds to nothing is not shown as none', async () => {
  const quiet = Array.from({ length: 30_000 }, (_, at) =>
    event(`q${at}`, 'waf', 'log', '100001', '/'),
  );
  save('a', lines([...quiet, event('1', 'waf', 'block', '100002', '/')]));
  const { stdout } = await review('--events', 'a');
  expect(stdout).toContain('1 request would no longer be blocked (block), <0.01 %, 1 client');
});

const ofNew = (action: string) => event('1', 'firewallmanaged', action, 'a'.repeat(32), '/');

const ofLegacy = (action: string) => event('1', 'waf', action, '100001', '/');

// a WAF that only logs stops nothing
test.each([
  [[ofNew('block')], '1 of 1 request cannot be decided.'],
  [
    [ofNew('block'), ofLegacy('simulate')],
    'Enforcing the new WAF would newly block 1 of 1 request, by 1 rule.',
  ],
  [
    [ofNew('log'), ofLegacy('challenge')],
    'Enforcing the new WAF would no longer block 1 of 1 request, by 1 rule.',
  ],
  [
    [ofNew('block'), ofLegacy('challenge')],
    'Enforcing the new WAF would act more strictly on 1 of 1 request.',
  ],
  [
    [ofNew('managed_challenge'), ofLegacy('block')],
    'Enforcing the new WAF would act less strictly on 1 of 1 request.',
  ],
])(
  'the answer for one request of both WAFs, or of a new rule that ends it %#',
  async (events, answer) => {
    save('a', lines(events));
    const { stdout } = await review('--events', 'a', '--format', 'markdown');
    expect(stdout).toContain(`**${answer}**`);
  },
);

test.each([
  [
    [...sample.slice(2, 4), ...sample.slice(6)],
    'Enforcing the new WAF would change nothing for the 1 request on which a WAF acted.',
  ],
  [sample.slice(6), 'Nothing was compared: neither WAF acted on the 1 request.'],
])('a few compared requests are not enough evidence %#', async (events, answer) => {
  save('a', lines(events));
  const { stdout } = await review('--events', 'a', '--format', 'html');
  expect(stdout).toContain(
    `<div class="answer none"><p>${answer}</p><p>Before you enforce the new WAF, review more events`,
  );
});

test('many requests that both WAFs act on alike are a success', async () => {
  const alike = Array.from({ length: 100 }, (_, ray) =>
    sample.slice(2, 4).map((one) => ({ ...one, RayID: String(ray) })),
  );
  save('a', lines(alike.flat()));
  const { stdout } = await review('--events', 'a', '--format', 'html');
  expect(stdout).toContain('<div class="answer kept">');
});

test('samples have no values of query parameters', async () => {
  const secret = { ...event('1', 'waf', 'block', '100001', '/reset') };
  save('a', lines([{ ...secret, ClientRequestQuery: '?token=hunter2&flag&mail=a@b.example' }]));
  for (const format of ['text', 'json', 'html']) {
    const { stdout } = await review('--events', 'a', '--format', format);
    expect(stdout).toContain('?token=…&');
    expect(stdout).not.toMatch(/hunter2|a@b.example|flag/);
  }
});

test('hostile text is escaped for a terminal, a spreadsheet, Markdown and a page', async () => {
  save('a', lines([hostile]));
  const of = async (format: string) => (await review('--events', 'a', '--format', format)).stdout;
  expect(await of('text')).not.toContain('\u001b');
  const csv = await of('csv');
  expect(csv.split('\r\n')).toHaveLength(3);
  expect(csv).toContain(`legacy,'=cmd|calc!A1,`);
  expect(csv).toContain('\\u{1b}[31m');
  expect(csv).not.toMatch(/[^\P{C}\r\n]/u);
  const markdown = await of('markdown');
  expect(markdown).toContain('&#124;');
  expect(markdown).not.toContain('`a`');
  const html = await of('html');
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;script&gt;alert(1)');
});

test('a path is no formula if a spreadsheet splits cells at semicolons', async () => {
  const path = `/x;=cmd|' /C calc'!A0;b;"@c`;
  save('a', lines([event('1', 'waf', 'block', '100532', path)]));
  const csv = (await review('--events', 'a', '--format', 'csv')).stdout;
  expect(csv).toContain(`/x;'=cmd|' /C calc'!A0;b;'""@c",`);
  const cells = csv.split(/[;\r\n]/);
  expect(cells.filter((cell) => /^"*[=+\-@]/.test(cell))).toEqual([]);
});

test.each(['text', 'json', 'csv', 'markdown', 'html'])(
  'as %s, only line ends and colours control a terminal',
  async (format) => {
    const path = '/\u001b[2J\u001b]0;pwn\u0007\u009b1m\u202e\r';
    save('a', lines([event('1', 'waf', 'block', '100532', path)]));
    const args = ['review', '--events', 'a', '--format', format];
    const { stdout } = await runCli(args, { cwd: folder, terminal: true });
    // eslint-disable-next-line no-control-regex -- the colours
    const plain = stdout.replace(/\u001b\[[0-9]{1,2}m/g, '').replaceAll('\r\n', '\n');
    expect(plain).not.toMatch(/[^\P{C}\n]/u);
  },
);

test('groups what one rule changes: newly blocked, and acted on more strictly', async () => {
  save('a', lines(reviewed));
  save('c', JSON.stringify(deploying()));
  const of = async (format: string) =>
    (await review('--events', 'a', '--config', 'c', '--format', format)).stdout;
  const [blocked, stricter] = [
    '4 requests would be newly blocked (block), 25 %, 1 client',
    '4 requests would be treated more strictly (block), 25 %, 1 client',
  ];
  const text = (await of('text')).replace(/\n +/g, ' ');
  expect(text.match(/new bba3d37891a440fb8bc95b970cbd9abc/g)).toHaveLength(1);
  for (const one of [text, await of('markdown'), await of('html')]) {
    expect(one.indexOf(blocked)).toBeGreaterThan(0);
    expect(one.indexOf(stricter)).toBeGreaterThan(one.indexOf(blocked));
    expect(one).toContain(
      'Enforcing the new WAF would newly block 4 of 16 requests, by 1 rule. It would no longer block 4, by 1 rule.',
    );
  }
  const [from, to] = ['2026-01-01T10:05:00', '2026-01-01T11:05:00'];
  expect(await of('markdown')).toContain(`${blocked}, ${from} to ${to}<br>${stricter}`);
});

test('the page shows a proposal beside its rule, with the promise', async () => {
  save('a', lines(reviewed));
  save('c', JSON.stringify(deploying()));
  const args = ['--events', 'a', '--config', 'c', '--propose', 'p', '--force'];
  const of = async (format: string) => (await review(...args, '--format', format)).stdout;
  const html = await of('html');
  expect(html).toContain(
    '1 change proposed. Promise: newly blocked 4 → at most 4, including 4 undecidable.',
  );
  expect(html).toContain('<b>Proposed:</b> only log rule bba3d37891a440fb8bc95b970cbd9abc.');
  expect(html).toContain('<b>Nothing proposed</b> for 4 requests: No new rule is known');
  for (const format of ['text', 'markdown']) {
    const proposal = (await of(format)).split('Proposed:')[1] ?? '';
    expect(proposal).toContain('only log rule bba3d37891a440fb8bc95b970cbd9abc');
    for (const line of proposal.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  }
});

test('the page does not suggest a proposal that was made, or that no rule needs', async () => {
  const line = '--events a --config c --propose p --force --format html'.split(' ');
  save('c', JSON.stringify(deploying()));
  save('a', lines([event('1', 'waf', 'block', '100004', '/')]));
  const proposed = (await review(...line)).stdout;
  expect(proposed).toContain('0 changes proposed. Promise: newly blocked 0 → at most 0.');
  expect(proposed).not.toContain('let the tool propose');
  save('a', lines([event('1', 'waf', 'log', '100004', '/'), ofNew('log')]));
  const logged = ['--events', 'a', '--format', 'html'];
  expect((await review(...logged)).stdout).not.toContain('let the tool propose');
});

test('the page has the paths, clients and samples of a rule', async () => {
  save('a', lines(reviewed));
  const { stdout } = await review('--events', 'a', '--format', 'html');
  expect(stdout).toContain('differences from 2026-01-01 10:05 UTC');
  for (const title of ['Paths', 'Clients']) {
    expect(stdout).toContain(`<h3>${title}</h3>`);
  }
  expect(stdout).toContain('<li>4 × <code>shop.example.com/upload</code></li>');
  expect(stdout).toContain('Sample requests (');
  expect(stdout).not.toMatch(/(?:src|href)="(?!#)/);
});

test('CSV, which has no findings, shows the decisions on standard error', async () => {
  save('a', lines([...sample, event('9', 'firewallmanaged', 'explode', 'x', '/')]));
  const { code, stdout, stderr } = await review('--events', 'a', '--format', 'csv');
  expect([code, stdout]).toEqual([2, expect.not.stringContaining('ACTION_UNKNOWN')]);
  expect(stderr).toMatch(/^decision: Events have an unknown action \(ACTION_UNKNOWN\)$/m);
  const page = await review('--events', 'a', '--format', 'html');
  expect(page.stdout).toContain('<b>Events have an unknown action.</b> ');
});

test('--out writes the document, and no file that differs without --force', async () => {
  save('a', lines(sample));
  expect((await review('--events', 'a', '--format', 'csv', '--out', 'r.csv')).stdout).toMatch(
    /^wrote r\.csv\n/,
  );
  const again = await review('--events', 'a', '--format', 'html', '--out', 'r.csv', '--json');
  expect(errorOf(again).code).toBe('FILE_EXISTS');
  expect(
    (await review('--events', 'a', '--format', 'html', '--out', 'r.csv', '--force')).code,
  ).toBe(2);
});

describe('for another engine', () => {
  test.each(['duckdb', 'spark'])('--sql %s prints one query', async (engine) => {
    const { stdout, code } = await review('--sql', engine);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WITH events AS/);
    expect(stdout).toContain('FROM firewall_events');
    expect(stdout).toContain(engine === 'duckdb' ? '"RayID"' : '`RayID`');
    expect(stdout).toContain('WHEN legacy = 0 OR (legacy = 1 AND fresh > 1) THEN 3');
    expect(stdout).toContain('WHEN fresh = 0 OR (fresh = 1 AND legacy > 1) THEN 2');
    expect(stdout).not.toContain('SampleInterval');
  });

  test('--out writes the query', async () => {
    const printed = await review('--sql', 'spark');
    const { code, stdout } = await review('--sql', 'spark', '--out', 'query.sql');
    expect([code, stdout]).toEqual([0, 'wrote query.sql\n']);
    expect(readFileSync(join(folder, 'query.sql'), 'utf8')).toBe(printed.stdout);
  });

  test('an unknown engine is refused', async () => {
    expect((await review('--sql', 'oracle', '--json')).code).toBe(64);
  });

  test('the printed query has the result of --events', async () => {
    save('a', lines([...sample, hostile]));
    const { stdout: query } = await review('--sql', 'duckdb');
    await runDuckDb(
      `CREATE TABLE firewall_events AS SELECT * FROM read_json('${join(folder, 'a')}')`,
      `COPY (${query}) TO '${join(folder, 'r')}' (FORMAT json)`,
    );
    const { intake, ...direct } = jsonOf(await review('--json', '--events', 'a'));
    const through = jsonOf(await review('--json', '--result', 'r'));
    expect(intake.events).toBe(8);
    expect({ ...through, findings: [] }).toEqual({ ...direct, findings: [] });
  });

  test('refuses a file that is not a result', async () => {
    for (const text of ['hello\n', lines(sample), '', 'section,outcome\nevent,x\n']) {
      save('r', text);
      expect(errorOf(await review('--json', '--result', 'r')).code).toBe('REVIEW_RESULT_INVALID');
    }
  });
});
