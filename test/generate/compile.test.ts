import fc from 'fast-check';
import { configRuleset, liveRuleset } from './support/arbitrary-ruleset';
import { everything } from './support/everything';
import { expectedResource } from './support/expected-resource';
import { goldenCases } from './support/golden';
import { textOf } from './support/generate-files';
import { readHcl, readStack, readTerraformJson } from './support/read-back';
import { typeErrors } from './support/type-check';

describe('an emitted stack in TypeScript', () => {
  it('compiles under strict with the real bindings', () => {
    const answers = [
      ...goldenCases().map(({ input }) => input),
      ...fc.sample(liveRuleset, 20),
      ...fc.sample(configRuleset, 10),
      everything(),
    ];
    expect(typeErrors(answers.map((answer) => textOf(answer, { format: 'cdktf' })))).toEqual([]);
  });

  it('compiles as a construct as well', () => {
    const sources = [everything(), ...goldenCases().map(({ input }) => input)];
    expect(typeErrors(sources.map((one) => textOf(one, { format: 'construct' })))).toEqual([]);
  });

  it('would not compile, were a field misspelt', () => {
    const source = textOf(everything(), { format: 'cdktf' }).replace('expression:', 'expresion:');
    expect(typeErrors([source])).toEqual([expect.stringContaining("'expresion' does not exist")]);
  });
});

it.each(['tfjson', 'hcl', 'cdktf'] as const)(
  'every field of provider 5 is in %s',
  async (format) => {
    const text = textOf(everything(), { format });
    const read = { tfjson: readTerraformJson, hcl: readHcl, cdktf: readStack }[format];
    expect(await read(text)).toEqual(expectedResource(everything(), 5));
  },
);
