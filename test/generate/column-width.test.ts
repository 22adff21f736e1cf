import * as standalone from 'prettier/standalone';
import { columnWidth } from '../../src/generate/formats/column-width';
import { hazards } from './support/arbitrary-text';

/** There, but not in its types; the main entry cannot be loaded by jest. */
const { util } = standalone as unknown as { util: { getStringWidth(text: string): number } };

describe('the width of a text', () => {
  it.each([
    ...['1100', '2329', '2630', '2ff0', '3250', 'a48c', 'ac00', 'fe30', 'ff01', '16fe0', '17000'],
    ...['191a0', '1aff0', '1b132', '1b150', '1b155', '1b164', '1d300', '1f1ae', '1f200', '1f230'],
    ...['1f23b', '1f3cb', '1f590', '1fa8b', '1facc', '20000', '30000', '261d', '1f600', '1f1e6'],
    ...['41', 'e9', '301', '20dd', '488', '2603', '10400', '115f', '1160', 'ffe6', 'ffe7'],
  ])('is what prettier counts, of U+%s', (code) => {
    const character = String.fromCodePoint(parseInt(code, 16));
    expect(columnWidth(character)).toBe(util.getStringWidth(character));
  });

  it.each([
    'plain',
    'a plain one',
    '',
    '1',
    '#',
    '1️⃣',
    '#️⃣',
    '*⃣',
    '👍',
    '👍🏽',
    '☝️🏽',
    '☝🏽',
    '❤',
    '❤️',
  ])('is what prettier counts, of %j beside other text', (text) => {
    for (const one of [text, `${text}a`, `中${text}`, `é${text}${text}`])
      expect(columnWidth(one)).toBe(util.getStringWidth(one));
  });

  it.each(hazards.filter((hazard) => !/[\p{Cc}\p{Cf}\p{Co}]/u.test(hazard)))(
    'is what prettier counts, of %j',
    (hazard) => {
      expect(columnWidth(`a${hazard}b`)).toBe(util.getStringWidth(`a${hazard}b`));
    },
  );

  // the slow ones last
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

  it('is what prettier counts, of every emoji with what may follow it', () => {
    const different: string[] = [];
    for (let code = 0x20; code < 0x20000; code += 1) {
      const character = code >= 0xd800 && code < 0xe000 ? ' ' : String.fromCodePoint(code);
      if (!/\p{Emoji}/u.test(character)) continue;
      for (const end of ['\ufe0f', '\u{1f3fd}', '\ufe0f\u{1f3fd}', '\u20e3', '\ufe0f\u20e3', 'a']) {
        const text = character + end;
        if (columnWidth(text) !== util.getStringWidth(text)) different.push(text);
      }
    }
    expect(different).toEqual([]);
  });
});
