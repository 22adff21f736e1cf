import { applyPatch } from 'diff';
import fc from 'fast-check';
import { planEdit } from '../../src/tfconfig/file-edit';
import { proveEdit } from '../../src/tfconfig/prove-edit';
import { parseText, removeBlocks } from './open-project';

type Tree = Record<string, unknown>;
const name = fc.constantFrom('a', 'b', 'c', 'é', '__proto__', 'a-1', '//x');
const body = fc.dictionary(fc.constantFrom('zone_id', 'mode', '//'), fc.string(), { maxKeys: 2 });
const named = (type: string): fc.Arbitrary<[string, Tree]> =>
  fc.dictionary(name, body, { minKeys: 1, maxKeys: 3 }).map((bodies) => [type, bodies]);

/** Terraform JSON with old and other resources; every label level is an object or an array. */
const config = fc
  .record({
    old: fc.uniqueArray(
      fc.constantFrom('cloudflare_waf_rule', 'cloudflare_waf_group').chain(named),
      {
        selector: ([type]) => type,
        maxLength: 2,
      },
    ),
    other: fc.uniqueArray(fc.constantFrom('cloudflare_record', 'cloudflare_ruleset').chain(named), {
      selector: ([type]) => type,
      maxLength: 2,
    }),
    rest: fc.dictionary(fc.constantFrom('locals', 'terraform'), body, { maxKeys: 2 }),
    oldFirst: fc.boolean(),
    nesting: fc.constantFrom('objects', 'types in an array', 'all in arrays'),
    indent: fc.constantFrom<string | number>(0, 2, 4, '\t'),
  })
  .map(({ old, other, rest, oldFirst, nesting, indent }) => {
    const render = (entries: [string, Tree][]): string => {
      const types = entries.map(([type, bodies]) => ({
        [type]:
          nesting === 'all in arrays'
            ? Object.entries(bodies).map(([key, value]) => Object.fromEntries([[key, [value]]]))
            : bodies,
      }));
      const merged = Object.fromEntries(types.flatMap((type) => Object.entries(type)));
      const resource = nesting === 'objects' ? merged : types;
      return JSON.stringify(entries.length === 0 ? rest : { ...rest, resource }, null, indent);
    };
    return {
      text: render(oldFirst ? [...old, ...other] : [...other, ...old]),
      expected: render(other),
    };
  });

describe('removing the legacy blocks from any .tf.json file', () => {
  test('leaves the text that there would be without them, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(config, async ({ text, expected }) => {
        const file = await parseText(text, 'main.tf.json');
        const old = file.blocks.filter(({ labels }) => labels[0]?.startsWith('cloudflare_waf_'));
        const edited = removeBlocks(file, old);
        expect(edited.replace(/^\{\s*\}$/, '{}')).toBe(expected);
        expect(removeBlocks(file, [...old].reverse())).toBe(edited);
        expect(removeBlocks(file, [])).toBe(text);
        await proveEdit(file, old, edited);
        const diff = planEdit(file, old)?.diff ?? '';
        expect(diff === '' ? text : applyPatch(text, diff)).toBe(edited);
      }),
      { numRuns: 300 },
    );
  });

  test('is not proven when one block more leaves, or one less', async () => {
    await fc.assert(
      fc.asyncProperty(config, fc.nat(), async ({ text }, pick) => {
        const file = await parseText(text, 'main.tf.json');
        const other = file.blocks[pick % file.blocks.length];
        if (other === undefined) return;
        const old = file.blocks.filter(({ labels }) => labels[0]?.startsWith('cloudflare_waf_'));
        const wrong = old.includes(other) ? old.filter((one) => one !== other) : [...old, other];
        const refused = proveEdit(file, old, removeBlocks(file, wrong));
        await expect(refused).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
      }),
    );
  });
});
