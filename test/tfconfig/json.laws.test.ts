import { applyPatch } from 'diff';
import fc from 'fast-check';
import { type JsonNode, parseJsonTree } from '../../src/tfconfig/json-file';
import { planEdit } from '../../src/tfconfig/plan-edit';
import { proveEdit } from '../../src/tfconfig/prove-edit';
import { removeBlocks } from '../../src/tfconfig/remove-blocks';
import { parseText } from './open-project';

function plain(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind === 'object') {
    return Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]));
  }
  return node.value;
}

const read = (text: string): JsonNode =>
  parseJsonTree(text, (offset, what) => {
    throw new SyntaxError(`${what} at ${offset}`);
  });

describe('reading JSON with places', () => {
  test('takes and refuses the same texts as JSON.parse', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '.', 'e', '0', '+', 'true'],
      ...[
        'null',
        ' ',
        '\n',
        '\t',
        '\u00a0',
        '\ufeff',
        '"\\u00e9"',
        '"\\x"',
        '"\u0001"',
        '{}',
        '[1]',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => read(text)).toThrow(SyntaxError);
          return;
        }
        expect(plain(read(text))).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  test('places every value where its text stands', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const visit = (node: JsonNode): void => {
          expect(JSON.parse(text.slice(node.start, node.end))).toEqual(plain(node));
          if (node.kind === 'array') node.items.forEach(visit);
          if (node.kind !== 'object') return;
          for (const { name, start, end, value } of node.members) {
            expect(JSON.parse(`{${text.slice(start, end)}}`)).toEqual({ [name]: plain(value) });
            visit(value);
          }
        };
        visit(read(text));
      }),
    );
  });
});

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
        await proveEdit(file, old, undefined, edited);
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
        const refused = proveEdit(file, old, undefined, removeBlocks(file, wrong));
        await expect(refused).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
      }),
    );
  });
});
