import fc from 'fast-check';
import { expectGolden } from '../generate/support/golden';
import { reportCases } from './support/report-cases';
import { anyCharacter } from '../support/any-character';
import { DRUPAL, group, owasp, rule, translate } from '../translate/support/old-zone';
import { randomZone } from '../translate/support/random-zone';
import { code, plain } from '../../src/report/formats/markdown';
import { reportFormats } from '../../src/report/formats/registry';
import { type Report } from '../../src/report/report';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { translateZone, type Translation } from '../../src/translate/translate-zone';

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
    expectGolden('report', `${name}.${endings[format]}`, text);
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

const catalogue = builtInCatalogue();

describe('a report', () => {
  it('in every format names every setting', () => {
    fc.assert(
      fc.property(randomZone, (old) => {
        const translation = translateZone(old, { catalogue });
        const [text, markdown] = [
          reportFormats.text(reportOf(translation)),
          reportFormats.markdown(reportOf(translation)),
        ];
        const rows = translation.parity.settings.length;
        expect(text.split('\n').filter((line) => /^ {2}\S+.* = /.test(line))).toHaveLength(rows);
        const tables = markdown
          .split('\n')
          .filter(
            (line) =>
              line.startsWith('| ') &&
              !line.startsWith('| ---') &&
              !line.startsWith('| Old setting'),
          );
        // the summary is a row, too
        expect(tables).toHaveLength(rows + 1);
      }),
      { numRuns: 100 },
    );
  });

  it('lets no text from the zone drive a terminal', () => {
    fc.assert(
      fc.property(randomZone, fc.string({ unit: anyCharacter, maxLength: 20 }), (old, text) => {
        const hostile = {
          ...old,
          rules: [
            { from: text, ruleId: text, mode: text, packageId: undefined, groupId: undefined },
          ],
          zoneId: text,
        };
        const report = reportOf(translateZone(hostile, { catalogue }));
        for (const format of ['text', 'markdown'] as const) {
          expect(reportFormats[format](report)).not.toMatch(
            /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u,
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('text from outside in Markdown as code', () => {
  it('never ends its code, its cell or its line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('`', '|', '\\', 'a', ' ', '\n', '<', '*') }),
        (text) => {
          const out = code(text);
          expect(out).not.toContain('\n');
          // an unescaped bar would begin another cell
          expect(out).not.toMatch(/(?<!\\)(?:\\\\)*\|/);
          const fence = /^`+/.exec(out)?.[0];
          if (fence === undefined) return;
          const inner = out.slice(fence.length, -fence.length);
          expect(out.endsWith(fence)).toBe(true);
          expect((inner.match(/`+/g) ?? []).every((run) => run.length !== fence.length)).toBe(true);
          expect(inner.startsWith('`') || inner.endsWith('`')).toBe(false);
        },
      ),
    );
  });
});
