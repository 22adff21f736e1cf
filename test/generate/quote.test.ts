import { Token } from 'cdktf';
import fc from 'fast-check';
import {
  escapeConstructTemplate,
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

  it('escapes what would join its closing quote in the eyes of Terraform', () => {
    expect(printJson({ '\u0600': '\u{110bd}' })).toBe('{\n  "\\u0600": "\\ud804\\udcbd"\n}\n');
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
    ['\ufeffa\ufeff', '${"\\ufeff"}a\ufeff'],
    ['a\r\nb', 'a\r\nb'],
    ['a\r$${', 'a${"\\r"}$$${'],
    ['$$\r', '${"$$\\r"}'],
  ])('of %j is %j', (value, escaped) => {
    expect(escapeTemplate(value)).toBe(escaped);
  });

  it('is doubled by a function: in a replacement string $$ would mean $', () => {
    expect(escapeTemplate('${')).toHaveLength(3);
    expect(escapeConstructTemplate('%{')).toHaveLength(3);
  });
});

describe('a literal of CDKTF', () => {
  it.each([
    ['${jndi:ldap}', '$${jndi:ldap}'],
    ['\ufeff${', '${"\\ufeff"}$${'],
    ['${TfToken[TOKEN.0]}', '$${TfToken${"["}TOKEN.0]}'],
    ['$${TfToken[TOKEN.0]}', '$$${TfToken${"["}TOKEN.0]}'],
    ['#{TfToken[TOKEN.0]}', '#{TfToken${"["}TOKEN.0]}'],
    ['&{TfToken[TOKEN.0]}', '&{TfToken${"["}TOKEN.0]}'],
    ['TfToken[', 'TfToken['],
    ['String Map Token Value', '${"String"} Map Token Value'],
    ['Any Map Token Value', '${"Any"} Map Token Value'],
    ['Any Map Token Value.', 'Any Map Token Value.'],
    ['-8.109562212591379e+298', '-8.109562212591379${"e"}+298'],
    ['at -0.82e299', 'at -0.82${"e"}299'],
    ['1e5 -7e298 -9e298 5de7edfa', '1e5 -7e298 -9e298 5de7edfa'],
    ['a\u0600', 'a${"\\u0600"}'],
    ['$\u0600', '${"$\\u0600"}'],
    ['\u{110bd}"', '${"\\U000110bd"}"'],
  ])('of %j is %j', (value, escaped) => {
    expect(escapeConstructTemplate(value)).toBe(escaped);
  });
  it('breaks every number in text that CDKTF would take for a reference', () => {
    fc.assert(
      fc.property(fc.double({ min: -9e298, max: -8e298, noNaN: true }), (number) => {
        fc.pre(Token.isUnresolved(number));
        expect(escapeConstructTemplate(`at ${number}`)).toContain('${"e"}');
      }),
      runs(500),
    );
  });
});
