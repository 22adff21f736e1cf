/**
 * Characters that take two columns besides the emoji, in hexadecimal: wide and full-width ones
 * (East_Asian_Width W and F, Unicode 17), and the hands and faces that take a skin tone.
 */
const WIDE_RANGES =
  '1100-115f 2329-232a 261d 2630-2637 268a-268f 26f9 270c-270d 2e80-2e99 2e9b-2ef3 2f00-2fd5 ' +
  '2ff0-3029 302e-303e 3041-3096 309b-30ff 3105-312f 3131-318e 3190-31e5 31ef-321e 3220-3247 ' +
  '3250-a48c a490-a4c6 a960-a97c ac00-d7a3 f900-faff fe10-fe19 fe30-fe52 fe54-fe66 fe68-fe6b ' +
  'ff01-ff60 ffe0-ffe6 16fe0-16fe3 16ff0-16ff6 17000-18cda 18cff-18d20 18d80-18df2 18e00-19191 ' +
  '191a0-191d2 1aff0-1aff3 1aff5-1affb 1affd-1affe 1b000-1b128 1b132 1b150-1b152 1b155 ' +
  '1b164-1b168 1b170-1b2fb 1d300-1d356 1d360-1d376 1f1ae 1f200 1f202 1f210-1f219 1f21b-1f22e ' +
  '1f230-1f231 1f237 1f23b 1f240-1f248 1f260-1f265 1f3cb-1f3cc 1f574-1f575 1f590 1f6d9 1f7da ' +
  '1fa8b-1fa8d 1facc 1fadd 1faeb 1faf9-1fafa 20000-2fffd 30000-3fffd';
const wide = WIDE_RANGES.replace(/[\da-f]+/g, (code) => `\\u{${code}}`).replaceAll(' ', '');
const DOUBLE = new RegExp(
  `^(?:[${wide}]|(?!\\p{Regional_Indicator})\\p{Emoji_Presentation})$`,
  'u',
);
const NONE = /[\p{Mn}\p{Me}]/u;
/**
 * Emoji of several characters, which take two columns together. The family (U+1F46A) takes a skin tone
 * in Unicode 17 alone, which prettier does not know.
 */
const SEQUENCE =
  /[#*\d]\ufe0f?\u20e3|(?!\u{1f46a})\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|(?![#*\d\p{Regional_Indicator}])\p{Emoji}\ufe0f/gu;

/** How many columns a text takes, as prettier counts them. */
export function columnWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text.replace(SEQUENCE, '..')) {
    columns += NONE.test(character) ? 0 : DOUBLE.test(character) ? 2 : 1;
  }
  return columns;
}
