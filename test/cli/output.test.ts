import { type StepEvent } from '../../src/apply/apply-context';
import { paint, renderErrorJson, renderErrorText } from '../../src/cli/output';
import { createProgress, replacingOpenLine, stepReporter } from '../../src/cli/progress';
import { MigrationError } from '../../src/core/migration-error';

describe('render error', () => {
  const hostile = 'title \u001b[2J\n    at a place\u202e';

  it('an unexpected error is reported as a bug, with its stack', () => {
    const text = renderErrorText(new TypeError(hostile));
    expect(text).toMatch(/^error: title .* \(BUG\)\n {2}hint: this is a bug of cf-waf-migrate/);
    expect(text).toMatch(/^ {4}at .*output\.test\.ts/m);
    expect(JSON.parse(renderErrorJson('thrown text')).error).toMatchObject({
      code: 'BUG',
      message: 'thrown text',
    });
  });

  it('as JSON is escaped, and means what it meant', () => {
    const findings = [
      { code: 'X', severity: 'info', subject: hostile, message: '', remedy: '' } as const,
    ];
    const text = renderErrorJson(new MigrationError('USAGE', 'm', { findings }));
    expect(text).toContain('\\u202e');
    expect(JSON.parse(text).error.findings).toEqual(findings);
  });

  it.each([
    ['a bug', new Error(hostile)],
    ['a failure', new MigrationError('USAGE', hostile, { hint: hostile })],
    ['a cause', new MigrationError('USAGE', 'm', { cause: new Error(hostile) })],
    [
      'a finding',
      new MigrationError('MIGRATION_BLOCKED', 'm', {
        findings: [
          {
            code: 'URI_OVERRIDE',
            severity: 'blocker',
            subject: 'a\u009b\u2028',
            message: hostile,
            remedy: hostile,
          },
        ],
      }),
    ],
  ])('%s cannot drive a terminal', (_, error) => {
    for (const text of [renderErrorText(error), renderErrorJson(error)]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }
  });
});

describe('the steps of a run are shown', () => {
  const DUMB: Readonly<Record<string, string>> = { TERM: 'dumb' };
  const HOSTILE = /\p{Cc}|\u202e/u;
  const events: StepEvent[] = [
    { step: '1', title: 'Back up the state', status: 'found' },
    { step: '2', title: 'Import \u001b[31mit\u202e', status: 'started' },
    { step: '2', title: 'Import \u001b[31mit\u202e', status: 'done' },
    { step: '3', title: 'Change the program', status: 'waiting' },
  ];

  function told(
    terminal: boolean,
    flags: { json?: boolean; quiet?: boolean; verbose?: boolean } = {},
    environment: Readonly<Record<string, string>> = {},
  ) {
    const said: string[] = [];
    const context = {
      stderr: (text: string) => said.push(text),
      terminals: { stdout: false, stderr: terminal, columns: 80 },
      environment,
      ...flags,
    };
    const report = stepReporter(3, context as never);
    for (const event of events) report(event);
    return said;
  }

  it('on a terminal as one line each, which says how far it is', () => {
    const said = told(true);
    expect(said).toEqual([
      '1/3 Back up the state: skipped, done already\n',
      expect.stringMatching(/^2\/3 Import .*it.*: running$/),
      expect.stringMatching(/^2\/3 Import .*it.*: done\n$/),
      '3/3 Change the program: manual\n',
    ]);
    expect(said.map((text) => text.trim()).join('')).not.toMatch(HOSTILE);
  });

  it('replaces the line of a running step, also where it takes several rows', () => {
    let said = '';
    const write = replacingOpenLine(
      (text) => (said += text),
      () => 10,
    );
    for (const text of ['', 'x'.repeat(21), 'short', 'end\n', 'more\n', 'bar', '']) write(text);
    expect(said).toBe(
      `${'x'.repeat(21)}\r\u001b[2A\u001b[Jshort\r\u001b[Jend\nmore\nbar\r\u001b[J`,
    );
  });

  it.each([
    ['elsewhere, as in CI', false, {}],
    ['with --verbose, between what Terraform says', true, { verbose: true }],
    ['on a terminal that knows lines alone', true, {}, DUMB],
  ])('%s as a plain line for each step', (_, terminal, flags, environment = {}) => {
    const said = told(terminal, flags, environment);
    expect(said).toHaveLength(3);
    expect(said[0]).toBe('1. Back up the state: skipped, done already\n');
    expect(said.join('').replaceAll('\n', '')).not.toMatch(HOSTILE);
  });

  it('with --json as an event a line', () => {
    const said = told(true, { json: true });
    expect(said.map((line) => JSON.parse(line))).toEqual(
      events.map((event) => ({ event: 'step', ...event })),
    );
    expect(said.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('with --quiet not at all', () => {
    expect(told(true, { quiet: true })).toEqual([]);
    expect(told(false, { quiet: true, json: true })).toEqual([]);
  });
});

it.each([
  ['there is no terminal', false, {}],
  ['the terminal knows lines alone', true, { TERM: 'dumb' }],
  ['CI gives it a terminal', true, { CI: '1' }],
])('a line a zone is written where %s', (_, terminal, environment) => {
  const said: string[] = [];
  const stderr = (text: string) => said.push(text);
  const terminals = { stdout: terminal, stderr: terminal, columns: 80 };
  const progress = createProgress({ isSilent: false, stderr, terminals, environment }, 1600);
  progress.start('plans/shop.plan.json: 8 steps');
  progress.tell({ id: 'f'.repeat(32), name: 'shop.example.com' }, 'done: can migrate');
  expect(said).toEqual([
    '[   0/1600] started plans/shop.plan.json: 8 steps\n',
    `[   1/1600] shop.example.com (${'f'.repeat(32)}): done: can migrate\n`,
  ]);
});

it('a bar names the plan that started last', () => {
  const said: string[] = [];
  const stderr = (text: string) => said.push(text);
  const terminals = { stdout: true, stderr: true, columns: 80 };
  const progress = createProgress({ isSilent: false, stderr, terminals, environment: {} }, 2);
  progress.start('plans/\u001b[2Ja.plan.json: 8 steps');
  expect(said.at(-1)).toMatch(
    /^░+ 0\/2 zones, started plans\/\\u\{1b\}\[2Ja\.plan\.json: 8 steps$/,
  );
});

it.each([
  ['1/9 Import: a: done', '1/9 Import: a: \u001b[32mdone\u001b[39m'],
  ['2. Check: skipped, done already', '2. Check: \u001b[33mskipped\u001b[39m, done already'],
  ['[ 1/16] a (f): failed: b: done', '[ 1/16] a (f): \u001b[31mfailed\u001b[39m: b: done'],
  ['failed     a (f): no answer', '\u001b[31mfailed\u001b[39m     a (f): no answer'],
  ['the run is done', 'the run is done'],
])('colours how %j ended', (text, painted) => {
  expect([paint(text, true), paint(text, false)]).toEqual([painted, text]);
});
