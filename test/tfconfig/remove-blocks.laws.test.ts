import { parse } from '@cdktf/hcl2json';
import fc from 'fast-check';
import { type ConfigBlock, type ConfigFile } from '../../src/tfconfig/config';
import { proveEdit } from '../../src/tfconfig/prove-edit';
import { type GeneratedFile, generatedFile, type Piece } from './arbitrary-hcl';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { parseText, removeBlocks } from './open-project';

const runs = { numRuns: 150, interruptAfterTimeLimit: 20_000 };
const isOld = ({ type, labels }: ConfigBlock): boolean =>
  (type === 'resource' || type === 'data') && legacyWafTypes.some((one) => one.type === labels[0]);

function oldBlocks(file: ConfigFile): ConfigBlock[] {
  return file.blocks.filter(isOld);
}

/** What the generator put in and should stay, with the line ends of the file. */
function kept({ pieces, lineEnd }: GeneratedFile): string[] {
  const stays = ({ old, text, header }: Piece): string => (old ? (header ?? '') : text);
  return pieces
    .map((piece) => stays(piece).replaceAll('\n', lineEnd))
    .filter((text) => text !== '');
}

describe('taking the old blocks out of any .tf file', () => {
  test('finds exactly the blocks that were put in', async () => {
    await fc.assert(
      fc.asyncProperty(generatedFile, async ({ text, pieces }) => {
        const file = await parseText(text);
        expect(file.blocks.map(({ address }) => address)).toEqual(
          pieces.flatMap(({ address }) => address ?? []),
        );
        expect(removeBlocks(file, [])).toBe(text);
      }),
      runs,
    );
  });

  test('leaves what HashiCorp’s parser reads in the original, less these blocks', async () => {
    await fc.assert(
      fc.asyncProperty(generatedFile, async (generated) => {
        const file = await parseText(generated.text);
        const stays = generated.pieces.filter(({ old }) => !old).map(({ text }) => text);
        const edited = removeBlocks(file, oldBlocks(file));
        expect(oldBlocks(await parseText(edited))).toEqual([]);
        expect(await parse('a.tf', edited)).toEqual(
          await parse('a.tf', stays.join('\n').replaceAll('\n', generated.lineEnd)),
        );
      }),
      runs,
    );
  });

  test('keeps every byte of what stays: texts, line ends, byte order mark, final newline', async () => {
    await fc.assert(
      fc.asyncProperty(generatedFile, async (generated) => {
        const file = await parseText(generated.text);
        const edited = removeBlocks(file, oldBlocks(file));
        let at = 0;
        for (const [index, text] of kept(generated).entries()) {
          const isLast = index === kept(generated).length - 1;
          const whole = isLast && !generated.finalNewline ? text.replace(/[ \t\r\n]+$/, '') : text;
          const found = edited.indexOf(whole, at);
          expect({ whole, found }).toEqual({ whole, found: expect.any(Number) });
          expect(found).toBeGreaterThanOrEqual(at);
          expect(
            edited
              .slice(at, found)
              .replace(/^\ufeff/, '')
              .trim(),
          ).toBe('');
          at = found + whole.length;
        }
        expect(edited.startsWith('\ufeff')).toBe(generated.bom);
        if (generated.lineEnd === '\n') expect(edited).not.toContain('\r');
        else expect(edited).not.toMatch(/(?<!\r)\n/);
        if (generated.text.endsWith('\n') && kept(generated).length > 0)
          expect(edited).toMatch(/\n$/);
      }),
      runs,
    );
  });

  test('is proven, and a change too much or too little is not', async () => {
    await fc.assert(
      fc.asyncProperty(generatedFile, fc.nat(), async ({ text }, pick) => {
        const file = await parseText(text);
        const blocks = oldBlocks(file);
        await proveEdit(file, blocks, removeBlocks(file, blocks));
        const other = file.blocks[pick % file.blocks.length];
        if (other === undefined) return;
        const wrong = blocks.includes(other)
          ? blocks.filter((block) => block !== other)
          : [...blocks, other];
        const refused = proveEdit(file, blocks, removeBlocks(file, wrong));
        await expect(refused).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
      }),
      { numRuns: 60 },
    );
  });
});
