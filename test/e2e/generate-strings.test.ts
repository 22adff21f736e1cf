import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInexact } from '../../src/generate/dialects/build-resource';
import {
  escapeConstructTemplate,
  escapeTemplate,
  printJson,
  quoteHcl,
} from '../../src/generate/formats/quote';
import { hazards, text } from '../generate/support/arbitrary-text';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

/** Every string of up to four of these parts of the template syntax. */
const alphabet = ['$', '%', '{', '}', '"', '\\', '\r', '\n', '~', '\u0600', '\ufeff', 'x'];

const isExact = (one: string): boolean => findInexact(one, 'it').length === 0;

function* short(length: number): Generator<string> {
  if (length === 0) yield '';
  else for (const rest of short(length - 1)) for (const one of alphabet) yield one + rest;
}

describe('Terraform reads every string as it was', () => {
  const seed = Number(process.env['FC_SEED'] ?? Date.now());
  const numRuns = 2000 * Number(process.env['FC_RUNS'] ?? 1);
  const texts = [
    ...[1, 2, 3, 4].flatMap((length) => [...short(length)]),
    ...hazards.flatMap((one) => hazards.map((other) => (one + other).normalize('NFC'))),
    ...fc.sample(text(), { numRuns, seed }),
  ].filter(isExact);

  /** The values that Terraform reads from these expressions in a list. */
  async function evaluated(path: string, content: string): Promise<string[]> {
    const dir = temporaryFolder();
    writeFileSync(join(dir, path), content);
    const applied = await terraform(dir, ['apply', '-auto-approve']);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await terraform(dir, ['output', '-json', 'texts']);
    return JSON.parse(stdout) as string[];
  }
  const different = (read: string[]): [string, string | undefined][] =>
    texts.flatMap((one, index): [string, string | undefined][] =>
      one === read[index] ? [] : [[one, read[index]]],
    );
  const asOutput = (value: string[]) => ({ output: { texts: { value } } });

  it('in HCL', async () => {
    const items = texts.map((one) => `    ${quoteHcl(one)},\n`).join('');
    const read = await evaluated('main.tf', `output "texts" {\n  value = [\n${items}  ]\n}\n`);
    expect(different(read)).toEqual([]);
  });

  it('in Terraform JSON', async () => {
    const read = await evaluated('main.tf.json', printJson(asOutput(texts.map(escapeTemplate))));
    expect(different(read)).toEqual([]);
  });

  it('in the JSON that CDKTF writes', async () => {
    const json = JSON.stringify(asOutput(texts.map(escapeConstructTemplate)));
    expect(different(await evaluated('main.tf.json', json))).toEqual([]);
  });

  it('but those that have a finding', async () => {
    const letters = [0x61, 0x3b1, 0x1131, 0x1099, 0xb47, 0xf600].flatMap((low) =>
      [0, 1, 2, 3].map((plane) => String.fromCodePoint(plane * 0x10000 + low)),
    );
    const marks = [[0x301], [0x316, 0x301], [0x308, 0x301], [0x11127], [0x110ba], [0xb3e]];
    const all = [
      ...letters.flatMap((letter) => marks.map((of) => letter + String.fromCodePoint(...of))),
      ...[29, 30, 31, 62].flatMap((length) =>
        ['x', '\u1ead'].map((of) => of + '\u0316'.repeat(length)),
      ),
    ];
    const read = await evaluated('main.tf.json', printJson(asOutput(all)));
    const changed = all.filter((one, at) => one !== read[at]);
    expect(changed.filter(isExact)).toEqual([]);
    // only for characters beyond U+FFFF is the decision unnecessary
    const carried = all.filter((one, at) => one === read[at]);
    expect(carried.filter((one) => !isExact(one) && !/[\u{10000}-\u{10ffff}]/u.test(one))).toEqual(
      [],
    );
    expect(isExact('🏷️ é 👍🏽 1️⃣')).toBe(true);
  });
});
