import { code, plain } from '../../src/report/formats/markdown';
import { reportFormats } from '../../src/report/formats/registry';
import { type Report } from '../../src/report/formats/report';
import { type Translation } from '../../src/translate/translate-zone';
import { expectGolden } from '../generate/support/golden';
import { group, DRUPAL, owasp, rule, translate } from './support/old-zone';
import { reportCases } from './support/report-cases';

const against = 'the ruleset that is built from them';
const reportOf = (...all: Translation[]): Report => ({
  zones: all.map(({ zoneId, parity, findings }) => ({ zoneId, against, parity, findings })),
});
const small = () =>
  translate({
    packages: [owasp('medium', 'simulate')],
    groups: [group(DRUPAL, 'off')],
    rules: [rule('100532', 'disable'), rule('100533', 'default')],
  });
const reports: Record<string, () => Report> = { report: () => reportOf(small()), ...reportCases };
const endings = { text: 'txt', markdown: 'md', json: 'json', html: 'htm' } as const;

describe('a report', () => {
  const formats = ['text', 'markdown', 'html'] as const;
  it.each([
    ['report', 'json'] as const,
    ['one-zone', 'json'] as const,
    ...Object.keys(reports).flatMap((name) => formats.map((format) => [name, format] as const)),
  ])('%s as %s is the golden one', (name, format) => {
    const text = reportFormats[format](reports[name]!());
    expectGolden('translate', `${name}.${endings[format]}`, text);
  });

  it('as JSON is one zone itself, or several under zones', () => {
    const one = JSON.parse(reportFormats.json(reportOf(small())));
    expect(Object.keys(one)).toEqual([
      'zoneId',
      'against',
      'summary',
      'settings',
      'rules',
      'findings',
    ]);
    expect(one.settings).toEqual(small().parity.settings);
    const two = JSON.parse(reportFormats.json(reportOf(small(), small())));
    expect(two).toEqual({ zones: [one, one] });
    expect(JSON.parse(reportFormats.json({ zones: [] }))).toEqual({ zones: [] });
  });

  it.each([
    [3, 'a0, a1, a2'],
    [4, 'a0, a1, a2 and 1 more'],
  ])('as text names three settings of a rule: of %i, %s', (count, origin) => {
    const from = Array.from({ length: count }, (_, at) => `a${at}`);
    const rule = { position: 0, action: 'block', expression: 'true', enabled: true };
    const { zoneId, parity } = small();
    const report = { ...parity, rules: [{ ...rule, from, overrides: [] }] };
    expect(
      reportFormats.text({ zones: [{ zoneId, against, parity: report, findings: [] }] }),
    ).toContain(`      from: ${origin}\n`);
  });

  it('as Markdown begins with an overview where there are several zones', () => {
    const lines = reportFormats.markdown(reportOf(small(), small())).split('\n');
    expect(lines[2]).toBe('| Zone | Lost | Changed | Kept | Without effect | New rules |');
    expect(lines.filter((line) => line.startsWith('## Zone'))).toHaveLength(2);
  });
});

describe('text from outside in Markdown', () => {
  it.each([
    ['<script>alert(1)</script>', '\\<script\\>alert\\(1\\)\\<\\/script\\>'],
    ['[x](javascript:y)', '\\[x\\]\\(javascript\\:y\\)'],
    ['https://evil.example', 'https\\:\\/\\/evil\\.example'],
    ['a | b', 'a \\| b'],
    ['# no *head*', '\\# no \\*head\\*'],
    ['line\nbreak', 'line\\\\u\\{a\\}break'],
  ])('as words: %j', (text, escaped) => {
    expect(plain(text)).toBe(escaped);
  });

  it.each([
    ['plain', '`plain`'],
    ['<b>', '`<b>`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['``a', '``` ``a ```'],
    [' a ', '`  a  `'],
    ['a|b', 'a\\|b'],
    ['', ''],
    ['  ', ''],
  ])('as code: %j', (text, fenced) => {
    expect(code(text)).toBe(fenced);
  });
});
