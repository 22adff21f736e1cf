import fc from 'fast-check';
import { REPORT_FORMATS, type ReportFormatName } from '../../src/core/format-names';
import { reportFormats } from '../../src/report/formats/registry';
import { builtInCatalogue } from '../../src/translate/catalogue/catalogue';
import { type SettingRow } from '../../src/translate/compare/parity';
import { translateZone } from '../../src/translate/translate-zone';
import { expectGolden } from '../generate/support/golden';
import { anyCharacter } from '../support/any-character';
import { randomZone } from '../translate/support/random-zone';
import { newRule, reports, setting, zoneOf } from './support/reports';

const catalogue = builtInCatalogue();
const markdownOf = (row: Partial<SettingRow>): string =>
  reportFormats.markdown({ zones: [zoneOf([setting(row)])] });
const endings: Readonly<Record<ReportFormatName, string>> = {
  text: 'txt',
  json: 'json',
  markdown: 'md',
  html: 'htm',
};
const golden = (['one-zone', 'zones'] as const)
  .flatMap((name) => REPORT_FORMATS.map((format) => [name, format] as const))
  .filter((one) => one.join() !== 'zones,json');

describe('a report', () => {
  it.each(golden)('of %s as %s is the golden one', (name, format) => {
    const text = reportFormats[format](reports[name])
      .replace(/(<(?:style|script)>)[^]*?(?=<\/(?:style|script)>)/g, '$1')
      .replace(/sha256-[^']+/g, 'sha256-');
    expectGolden('report', `${name}.${endings[format]}`, text);
  });

  it('as JSON is one zone itself, or several under zones', () => {
    const zone = zoneOf([setting()]);
    const one = JSON.parse(reportFormats.json({ zones: [zone] }));
    expect(one).toMatchObject({ zoneId: zone.zoneId, settings: zone.parity.settings });
    expect(JSON.parse(reportFormats.json({ zones: [zone, zone] }))).toEqual({ zones: [one, one] });
    expect(JSON.parse(reportFormats.json(reports['no-zones']))).toEqual({ zones: [] });
  });

  it('as Markdown lists decisions first, and has each command as code', () => {
    const about = { subject: 'a', message: 'b', remedy: 'see:\ncf-waf-migrate status' };
    const findings = [
      { code: 'ONE', severity: 'info', ...about },
      { code: 'TWO', severity: 'decision', ...about },
    ] as const;
    const text = reportFormats.markdown({ zones: [{ ...zoneOf([]), findings }] });
    expect(text).toContain(
      '- **decision** `TWO` `a`: b. To do: see&#58; `cf-waf-migrate status`.\n- **info** `ONE`',
    );
  });

  it.each([
    ['text', 3, 'from: s0, s1, s2\n'],
    ['text', 4, 'from: s0, s1, s2 and 1 more\n'],
    ['html', 12, '<code>s11</code></li>'],
    ['html', 13, '<code>s11</code> and 1 more</li>'],
  ] as const)('as %s lists the first settings of a rule: of %i, %s', (format, count, origin) => {
    const from = Array.from({ length: count }, (_, at) => `s${at}`);
    const text = reportFormats[format]({ zones: [zoneOf([], [newRule({ from })])] });
    expect(text).toContain(origin);
  });

  it('has every setting of any zone, as text and as Markdown', () => {
    fc.assert(
      fc.property(randomZone, (legacy) => {
        const zone = { ...translateZone(legacy, { catalogue }), against: 'x' };
        const count = zone.parity.settings.length;
        const text = reportFormats.text({ zones: [zone] }).split('\n');
        expect(text.filter((line) => /^ {2}\S+.* = /.test(line))).toHaveLength(count);
        const tables = reportFormats
          .markdown({ zones: [zone] })
          .split('\n')
          .filter((line) => /^\| (?!---|Legacy setting)/.test(line));
        // the summary is a row, too
        expect(tables).toHaveLength(count + 1);
      }),
      { numRuns: 100 },
    );
  });

  it('prints no control character from the zone', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 20 }), (text) => {
        const row = setting({ from: text, subject: text, value: text, to: text, why: text });
        const report = { zones: [zoneOf([row], [], { zoneId: text, name: text, against: text })] };
        for (const format of REPORT_FORMATS.filter((one) => one !== 'json')) {
          expect(reportFormats[format](report)).not.toMatch(
            /(?!\r?\n)\p{Cc}|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('hostile text in Markdown', () => {
  it.each([
    ['<script>alert(1)</script>', '&#60;script&#62;alert(1)&#60;/script&#62;'],
    ['[x](javascript:y)', '&#91;x&#93;(javascript&#58;y)'],
    ['https://evil.example', 'https&#58;//evil.example'],
    ['WWW.evil.example', 'WWW&#46;evil.example'],
    ['a | b', 'a &#124; b'],
    ['# no *head* @user', '&#35; no &#42;head&#42; &#64;user'],
    ['line\nbreak', 'line&#92;u{a}break'],
  ])('as words: %j', (text, escaped) => {
    expect(markdownOf({ to: text })).toContain(`| ${escaped} |`);
  });

  it.each([
    ['plain', '`plain`'],
    ['<b>', '`<b>`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['``a', '``` ``a ```'],
    [' a ', '`  a  `'],
    ['a|b', 'a&#124;b'],
    ['', ''],
    ['  ', ''],
  ])('as code: %j', (text, fenced) => {
    expect(markdownOf({ value: text, to: 'END' })).toContain(`.mode\` | ${fenced} | END |`);
  });

  it('as code never ends its code, its cell or its line', () => {
    const odd = fc.string({ unit: fc.constantFrom('`', '|', '\\', 'a', ' ', '\n', '<', '*') });
    fc.assert(
      fc.property(odd, (value) => {
        const lines = markdownOf({ value, to: 'END' }).split('\n');
        const line = lines.find((one) => one.includes('END')) ?? '';
        const cell = /\.mode` \| (.*) \| END \|/.exec(line)?.[1] ?? '';
        // an unescaped bar would begin another cell
        expect(cell).not.toMatch(/(?<!\\)(?:\\\\)*\|/);
        const fence = /^`+/.exec(cell)?.[0];
        if (fence === undefined) return;
        const inner = cell.slice(fence.length, -fence.length);
        expect(cell.endsWith(fence)).toBe(true);
        expect((inner.match(/`+/g) ?? []).every((run) => run.length !== fence.length)).toBe(true);
        expect(inner.startsWith('`') || inner.endsWith('`')).toBe(false);
      }),
    );
  });
});

describe('the HTML report', () => {
  it('names what to do where all is kept too: the zone may be blocked, or have migrated', () => {
    const html = reportFormats.html({ zones: [zoneOf([setting({ status: 'kept' })])] });
    expect(html).toContain('No setting is lost or changed: 1 setting kept.');
    expect(html).toContain('<a href="#todo">What to do</a>');
    expect(html).toContain('See the next command');
  });

  it('does not continue where there is neither a setting nor a rule', () => {
    const html = reportFormats.html({ zones: [zoneOf([], [])] });
    expect(html).toContain('There are no legacy WAF settings to migrate.');
    expect(html).not.toContain('What to do');
    expect(html).not.toContain('See the next command');
  });

  it('is one file: it loads nothing, and the policy comes before everything that could', () => {
    fc.assert(
      fc.property(fc.array(randomZone, { maxLength: 3 }), (zones) => {
        const report = {
          zones: zones.map((zone) => ({ ...translateZone(zone, { catalogue }), against: 'x' })),
        };
        const html = reportFormats.html(report);
        expect(reportFormats.html(structuredClone(report))).toBe(html);
        const tags = html.match(/<(?!\/|!)[^>]*>/g) ?? [];
        const loads = /\s(?:src|srcset|style|on\w+|action|data)=/i;
        expect(tags.filter((tag) => loads.test(tag))).toEqual([]);
        const links = tags.flatMap((tag) => /\shref="([^"]*)"/.exec(tag)?.[1] ?? []);
        expect(links.filter((link) => !/^#[a-z0-9-]+$/.test(link))).toEqual([]);
        expect(links.filter((link) => !html.includes(`id="${link.slice(1)}"`))).toEqual([]);
        expect(html.match(/<script/g)).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });
});
