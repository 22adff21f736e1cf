import fc from 'fast-check';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import * as standalone from 'prettier/standalone';
import { columnWidth } from '../../src/generate/formats/column-width';
import { printProperty } from '../../src/generate/formats/typescript';
import { liveRuleset } from './support/arbitrary-ruleset';
import { hazards, text } from './support/arbitrary-text';
import { everything } from './support/everything';
import { type Options, textOf } from './support/generate-files';
import { runs } from './support/runs';

const { format } = standalone;
/** There, but not in its types; the main entry cannot be loaded by jest. */
const { util } = standalone as unknown as { util: { getStringWidth(text: string): number } };

/** What prettier prints with its default options, and the source before. */
async function expectPretty(answer: unknown, options: Options): Promise<void> {
  const source = textOf(answer, { format: 'cdktf', preventDestroy: true, ...options });
  expect(source).toBe(
    await format(source, { parser: 'typescript', plugins: [estree, typescript] }),
  );
}
const live = (rule: object, more: object = {}) => ({
  id: 'f'.repeat(32),
  name: 'default',
  rules: [{ ref: 'ref', action: 'log', expression: 'true', enabled: true, ...rule }],
  ...more,
});

describe('an emitted stack is what prettier prints', () => {
  it('for any ruleset, and any zone', async () => {
    await fc.assert(
      fc.asyncProperty(liveRuleset, text(2), (answer, zone) => expectPretty(answer, { zone })),
      runs(60),
    );
  });

  it.each([3, 4, 5] as const)(
    'for every field that provider 5 knows, under provider %s',
    (provider) => expectPretty(everything(), { provider }),
  );

  it('where a string ends at the margin, whatever it is made of', async () => {
    for (const character of ['x', '中', '😀', 'é', '"', '❤️', '\u0301']) {
      for (const length of [27, 28, 29, 30, 31, 60, 61, 62, 63, 64, 65, 66]) {
        const value = character.repeat(length).normalize('NFC');
        await expectPretty(live({ ref: value, description: value }, { name: value }), {});
      }
    }
  });

  it('where a list ends at the margin', async () => {
    for (let length = 1; length < 40; length += 1) {
      const products = ['a'.repeat(length), 'b'.repeat(20)];
      const parameters = { products, additional_cacheable_ports: [length, 8080, 1e21] };
      await expectPretty(live({ action: 'skip', action_parameters: parameters }), {});
    }
  });

  it('where a field is set past the bindings, however long it is', async () => {
    for (let length = 1; length < 60; length += 3) {
      const content = 'c'.repeat(length);
      const parameters = {
        content_converter: true,
        operation: content,
        values: [content, content],
      };
      await expectPretty(live({ action_parameters: parameters }), {});
    }
  });

  it('for names of resources and zones of every length', async () => {
    for (let length = 1; length < 90; length += 1) {
      const zone = `${'z'.repeat(length)}.example.com`;
      await expectPretty(live({}), { zone, resourceName: 'r'.repeat(length) });
    }
  });
});

describe('a key has quotes where prettier keeps them', () => {
  const letters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(character) && !/[0-9\u2e2f]/.test(character),
  );
  /** As many as are quick, other ones each time. `a b` goes with them: it needs its quotes. */
  const someLetters = fc.uniqueArray(fc.constantFrom(...letters), {
    minLength: 1_000,
    maxLength: 3_000,
    size: 'max',
  });
  async function expectKeys(keys: string[]): Promise<void> {
    const properties = ['a b', ...keys].flatMap((name) => printProperty(name, '1', '  '));
    const source = ['x = {', ...properties, '};', ''].join('\n');
    expect(source).toBe(
      await format(source, { parser: 'typescript', plugins: [estree, typescript] }),
    );
  }

  it('whatever character it begins with', () =>
    fc.assert(fc.asyncProperty(someLetters, expectKeys), runs(2)));

  it('whatever character it goes on with', () =>
    fc.assert(
      fc.asyncProperty(someLetters, (chosen) =>
        expectKeys([...chosen.map((character) => `a${character}`), 'a\u{10400}', '\u{10400}']),
      ),
      runs(2),
    ));
});

describe('the width of a text', () => {
  it('is what prettier counts, for every character that is written as itself', () => {
    const different: string[] = [];
    for (let code = 0x20; code < 0x110000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      if (/[\p{Cc}\p{Cf}\p{Co}]/u.test(character)) continue;
      if (columnWidth(character) !== util.getStringWidth(character)) {
        different.push(code.toString(16));
      }
    }
    expect(different).toEqual([]);
  });

  it.each(hazards.filter((hazard) => !/[\p{Cc}\p{Cf}\p{Co}]/u.test(hazard)))(
    'is what prettier counts, of %j',
    (hazard) => {
      expect(columnWidth(`a${hazard}b`)).toBe(util.getStringWidth(`a${hazard}b`));
    },
  );
});
