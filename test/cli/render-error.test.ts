import { renderErrorJson, renderErrorText } from '../../src/cli/run';
import { MigrationError } from '../../src/core/migration-error';

const hostile = 'title \u001b[2J\n    at a place\u202e';

it('what nobody expected is told as a bug, with the places of its stack', () => {
  const text = renderErrorText(new TypeError(hostile));
  expect(text).toMatch(/^error: title .* \(BUG\)\n {2}hint: this is a bug of cf-waf-migrate/);
  expect(text).toMatch(/^ {4}at .*render-error\.test\.ts/m);
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
