import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { renderPowershell } from '../../../src/plan/formats/powershell';
import { powershellQuote } from '../../../src/plan/formats/powershell-quote';
import { isPlanText } from '../../../src/plan/formats/registry';
import { planOf } from '../support/plans';

/**
 * A MODEL, not PowerShell: the rules of its documentation (about_Quoting_Rules, about_Parsing) for
 * the few expressions that are written. In a single-quoted string nothing is expanded; two quotes,
 * each of `'` U+2018 U+2019 U+201A U+201B, stand for the second of them, and one ends the string.
 */
function readExpression(source: string): string {
  let at = 0;
  const quote = /['\u2018-\u201b]/;
  const take = (pattern: RegExp): string | undefined => {
    const [found] = pattern.exec(source.slice(at)) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const term = (): string => {
    if (take(/^\[char\]::ConvertFromUtf32\(/) !== undefined) {
      const code = take(/^0x[\da-f]+/)!;
      expect(take(/^\)/)).toBe(')');
      return String.fromCodePoint(Number(code));
    }
    if (take(/^\[char\]/) !== undefined) {
      const code = Number(take(/^0x[\da-f]+/));
      expect(code).toBeLessThanOrEqual(0xffff);
      return String.fromCharCode(code);
    }
    expect(source[at]).toMatch(quote);
    let value = '';
    for (at += 1; at < source.length; at += 1) {
      if (quote.test(source[at]!)) {
        if (!quote.test(source[at + 1] ?? '')) break;
        at += 1;
      }
      value += source[at]!;
    }
    at += 1;
    return value;
  };
  const inParentheses = take(/^\(/) !== undefined;
  // a character before the first string would be added as a number
  if (inParentheses) expect(source[at]).toBe("'");
  let value = term();
  while (inParentheses && take(/^ \+ /) !== undefined) value += term();
  if (inParentheses) expect(take(/^\)/)).toBe(')');
  expect(at).toBe(source.length);
  return value;
}

const hostile = fc.constantFrom(
  ...["'", '\u2018', '\u2019', '\u201a', '\u201b', '"', '\u201c', '`', '$', '$(id)', '${x}', '%{'],
  ...['@', '#', ';', '|', '&', '--%', ' ', '\t', '\n', '\r\n', '\u0001', '\u001b[2J', '\u0085'],
  ...['\u202e', '\u2028', '\ufeff', 'é', 'e\u0301', '日本', '👩‍🚀', '\u{e0001}', '\\', '\\"'],
);
const argument = fc
  .array(fc.oneof(hostile, fc.string({ unit: anyCharacter, maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());

describe('an argument, quoted for PowerShell', () => {
  it('is read by the model of the language as what it was', () => {
    fc.assert(
      fc.property(argument, (word) => {
        expect(readExpression(powershellQuote(word))).toBe(word);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds nothing that drives a terminal', () => {
    fc.assert(
      fc.property(argument, (word) => {
        expect(powershellQuote(word)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['', "''"],
    ["it's", "'it''s'"],
    ['a\nb', "('a' + [char]0xa + 'b')"],
    ['a\n', "('a' + [char]0xa)"],
    ['\uffff', "('' + [char]0xffff)"],
  ])('%j is %s', (word, quoted) => {
    expect(powershellQuote(word)).toBe(quoted);
  });
});

describe('the script for PowerShell', () => {
  const plan = planOf('old-waf-3.35.tfstate', { from: '3.35.0', to: '5.22.0' });
  const script = renderPowershell(plan);

  it('has every step in order, the rehearsal before the removal, and every address', () => {
    const ids = [...script.matchAll(/^if \(\$First -le (\d+)\) \{$/gm)].map(([, id]) => id);
    expect(ids).toEqual(plan.steps.map(({ id }) => id));
    expect(script.indexOf("'-dry-run'")).toBeLessThan(script.indexOf('not everything is gone'));
    for (const address of plan.steps.find(({ kind }) => kind === 'remove')!.addresses!) {
      expect(script).toContain(powershellQuote(address));
    }
  });

  it('knows the state by lineage and serial, and stops where a person has to act', () => {
    const { lineage, serial } = plan.states[0]!;
    expect(script).toContain(` '${lineage}' ${serial} 'terraform' 'state' 'pull'`);
    const own = plan.steps.filter(({ kind }) => kind === 'manual');
    for (const { id } of own) expect(script).toContain(`-First ${Number(id) + 1}' 2`);
  });

  it('opens and closes every brace, strings aside, and is known again as a plan', () => {
    const code = script
      .replace(/'(?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*'/g, '')
      .replace(/^#.*$/gm, '');
    expect(code.match(/\{/g)).toHaveLength(code.match(/\}/g)!.length);
    expect(code.match(/\(/g)).toHaveLength(code.match(/\)/g)!.length);
    expect(isPlanText(script)).toBe(true);
  });
});
