import fc from 'fast-check';
import { anyCharacter } from '../support/any-character';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { code } from '../../src/report/formats/markdown';
import { reportFormats } from '../../src/report/formats/registry';
import { type Report } from '../../src/report/formats/report';
import { type Translation, translateZone } from '../../src/translate/translate-zone';
import { randomZone } from './support/random-zone';

const catalogue = builtInCatalogue();
const against = 'the ruleset that is built from them';
const reportOf = (...all: Translation[]): Report => ({
  zones: all.map(({ zoneId, parity, findings }) => ({ zoneId, against, parity, findings })),
});

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
