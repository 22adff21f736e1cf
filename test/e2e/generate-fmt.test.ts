import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { everything } from '../generate/support/everything';
import { stackOf } from '../generate/support/generate-files';
import { answers as known, live } from '../generate/support/live-answer';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

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
