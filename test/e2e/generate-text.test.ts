import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInexact, isReference } from '../../src/generate/dialects/build-resource';
import { escapeTemplate, quoteHcl } from '../../src/core/terraform-syntax';
import { printJson } from '../../src/generate/formats/tfjson';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { hazards, text } from '../generate/support/arbitrary-text';
import { everything } from '../generate/support/everything';
import { stackOf } from '../generate/support/generate-files';
import { answers as known, live } from '../generate/support/live-answer';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

/** Every string of up to four of these parts of the template syntax. */
const alphabet = ['$', '%', '{', '}', '"', '\\', '\n', '~', 'x'];

const isExact = (one: string): boolean => !isReference(one) && findInexact(one, 'it').length === 0;

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
    const json = JSON.stringify(asOutput(texts.map(escapeTemplate)));
    expect(different(await evaluated('main.tf.json', json))).toEqual([]);
  });

  it('but those up to U+FFFF that have a finding', async () => {
    const letters = [0x61, 0x3b1, 0x1131, 0x1099, 0xb47, 0xf600];
    const marks = [[0x301], [0x316, 0x301], [0x308, 0x301], [0xb3e]];
    const all = letters.flatMap((letter) => marks.map((of) => String.fromCodePoint(letter, ...of)));
    const read = await evaluated('main.tf.json', printJson(asOutput(all)));
    expect(all.filter((one, at) => one !== read[at])).toEqual(all.filter((one) => !isExact(one)));
    expect(isExact('🏷️ é 👍🏽 1️⃣')).toBe(true);
  });
});

const count = 60 * Number(process.env['FC_RUNS'] ?? 1);
const zones = ['example.com', 'a b', '中文.example', 'x'.repeat(300), '\u202e\n*/ 🇩🇪'];

/** A skip rule with keys of a map, because only these and names are aligned. */
const keys = live({
  action: 'skip',
  action_parameters: { rules: { plain: ['a', 'b'], 'a longer key': ['a', 'b', 'c', 'd'] } },
});

it('generated HCL is what terraform fmt leaves', async () => {
  const dir = temporaryFolder();
  const seed = Number(process.env['FC_SEED'] ?? Date.now());
  const answers = [
    ...Object.values(known),
    ...fc.sample(liveRuleset, { numRuns: count, seed }),
    ...fc.sample(configRuleset, { numRuns: count / 4, seed }),
    keys,
    everything(),
  ];
  for (const [index, answer] of answers.entries()) {
    const provider = ([3, 4, 5] as const)[index % 3]!;
    const zone = zones[index % zones.length]!;
    const options = { format: 'hcl', provider, zone } as const;
    const { resourceFile, providersFile } = stackOf(answer, options);
    writeFileSync(join(dir, `stack-${index}.tf`), resourceFile.text);
    writeFileSync(join(dir, `providers-${index}.tf`), providersFile?.text ?? '');
  }
  const run = await terraform(dir, ['fmt', '-check', '-diff']);
  expect({ seed, ...run }).toEqual({ seed, code: 0, stdout: '', stderr: '' });
});

it('terraform fmt would say so, were a line not aligned', async () => {
  const dir = temporaryFolder();
  const { text } = stackOf(everything(), { format: 'hcl' }).resourceFile;
  writeFileSync(join(dir, 'main.tf'), text.replace(/name +=/, 'name ='));
  expect(await terraform(dir, ['fmt', '-check'])).toMatchObject({ code: 3, stdout: 'main.tf\n' });
});
