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

describe('every field that provider 5 knows', () => {
  const answer = everything();

  it('is carried by Terraform JSON', () => {
    expect(readTerraformJson(textOf(answer))).toEqual(expectedResource(answer, 5));
  });

  it('is carried by HCL', async () => {
    expect(await readHcl(textOf(answer, { format: 'hcl' }))).toEqual(expectedResource(answer, 5));
  });

  it('is carried by CDKTF, also where the bindings are too old for it', () => {
    expect(readStack(textOf(answer, { format: 'cdktf' }))).toEqual(expectedResource(answer, 5));
  });
});
