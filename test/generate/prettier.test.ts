import fc from 'fast-check';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import * as standalone from 'prettier/standalone';
import { liveRuleset } from './support/arbitrary-ruleset';
import { text } from './support/arbitrary-text';
import { everything } from './support/everything';
import { type Options, textOf } from './support/generate-files';
import { runs } from './support/runs';

const { format } = standalone;

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
