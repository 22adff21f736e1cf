import fc from 'fast-check';
import {
  escapeTemplate,
  printJson,
  quoteHcl,
  quoteTypeScript,
} from '../../src/generate/formats/quote';
import { text } from './support/arbitrary-text';
import { runs } from './support/runs';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('a string of TypeScript', () => {
  it.each([
    ['plain', '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["it's", '"it\'s"'],
    ['"\'', '"\\"\'"'],
    ['back\\slash', '"back\\\\slash"'],
    ['a\nb\r\tc', '"a\\nb\\r\\tc"'],
    ['\0\x1b\x7f', '"\\u0000\\u001b\\u007f"'],
    ['\u2028\u202e\ufeff', '"\\u2028\\u202e\\ufeff"'],
    ['\u{e0001}', '"\\udb40\\udc01"'],
    ['\ud800', '"\\ud800"'],
    ['`${x}` */ </script>', '"`${x}` */ </script>"'],
    ['中文 é', '"中文 é"'],
  ])('of %j is %s', (value, quoted) => {
    expect(quoteTypeScript(value)).toBe(quoted);
  });

  it('shows every invisible character, and evaluates to what it quotes', () => {
    fc.assert(
      fc.property(text(), (value) => {
        const quoted = quoteTypeScript(value);
        expect(quoted).not.toMatch(INVISIBLE);
        // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the literal is what is tested
        expect(new Function(`return ${quoted}`)()).toBe(value);
      }),
      runs(500),
    );
  });
});

describe('a string of HCL', () => {
  it.each([
    ['plain', '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['back\\slash', '"back\\\\slash"'],
    ['a\nb\r\tc', '"a\\nb\\r\\tc"'],
    ['\0\u2028', '"\\u0000\\u2028"'],
    ['\u{e0001}\u{110bd}', '"\\U000e0001\\U000110bd"'],
    ['${x} %{y}', '"$${x} %%{y}"'],
    ['$${x} %%{y}', '"$$${x} %%%{y}"'],
    ['$ % {', '"$ % {"'],
    ['<<EOT\nEOT', '"<<EOT\\nEOT"'],
    // HCL refuses the escape of half a character
    ['\ud800x', '"\ufffdx"'],
  ])('of %j is %s', (value, quoted) => {
    expect(quoteHcl(value)).toBe(quoted);
  });

  it('shows every invisible character', () => {
    fc.assert(
      fc.property(text(), (value) => {
        expect(quoteHcl(value)).not.toMatch(INVISIBLE);
      }),
      runs(500),
    );
  });
});

describe('a document of JSON', () => {
  it('is indented by two, and ends in a new line', () => {
    expect(printJson({ a: [1, 'b'] })).toBe('{\n  "a": [\n    1,\n    "b"\n  ]\n}\n');
  });

  it('shows every invisible character, and holds what it was made of', () => {
    fc.assert(
      fc.property(text(), text(), (key, value) => {
        const printed = printJson({ [key]: value });
        expect(printed.replaceAll('\n', '')).not.toMatch(INVISIBLE);
        expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify({ [key]: value })));
      }),
      runs(500),
    );
  });
});

describe('a literal of Terraform JSON', () => {
  it.each([
    ['plain $ % { } $x $$', 'plain $ % { } $x $$'],
    ['${jndi:ldap}', '$${jndi:ldap}'],
    ['%{if x}', '%%{if x}'],
    ['$${x}', '$$${x}'],
    ['%%{x}', '%%%{x}'],
    ['${a}${b}', '$${a}$${b}'],
    ['$${', '$$${'],
    ['"\\\n', '"\\\n'],
    ['a\r\nb', 'a\r\nb'],
  ])('of %j is %j', (value, escaped) => {
    expect(escapeTemplate(value)).toBe(escaped);
  });
});
