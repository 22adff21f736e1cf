import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, plain } from '../../src/translate/formats/markdown-text';
import { reportFormats } from '../../src/translate/formats/registry';
import { type Report } from '../../src/translate/formats/report';
import { type Translation } from '../../src/translate/translate-zone';
import { group, DRUPAL, owasp, rule, translate } from './support/old-zone';

const against = 'the ruleset that is built from them';
const reportOf = (...all: Translation[]): Report => ({
  zones: all.map(({ zoneId, parity, findings }) => ({ zoneId, against, parity, findings })),
});
const small = translate({
  packages: [owasp('medium', 'simulate')],
  groups: [group(DRUPAL, 'off')],
  rules: [rule('100532', 'disable'), rule('100533', 'default')],
});
const golden = (name: string) => readFileSync(join(__dirname, '../golden/translate', name), 'utf8');

describe('a report', () => {
  it.each(['text', 'markdown', 'json'] as const)('as %s is the golden one', (format) => {
    expect(reportFormats[format](reportOf(small))).toBe(
      golden(`report.${format === 'markdown' ? 'md' : format === 'json' ? 'json' : 'txt'}`),
    );
  });

  it('as JSON is one zone itself, or several under zones', () => {
    const one = JSON.parse(reportFormats.json(reportOf(small)));
    expect(Object.keys(one)).toEqual([
      'zoneId',
      'against',
      'summary',
      'settings',
      'rules',
      'findings',
    ]);
    expect(one.settings).toEqual(small.parity.settings);
    const two = JSON.parse(reportFormats.json(reportOf(small, small)));
    expect(two).toEqual({ zones: [one, one] });
    expect(JSON.parse(reportFormats.json({ zones: [] }))).toEqual({ zones: [] });
  });

  it('as Markdown begins with an overview where there are several zones', () => {
    const lines = reportFormats.markdown(reportOf(small, small)).split('\n');
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
