import { corpus } from './support/corpus';
import { expectedResource } from './support/expected-resource';
import { stackOf } from './support/generate-files';
import { readHcl, readStack, readTerraformJson } from './support/read-back';
import { typeErrors } from './support/type-check';

const all = Object.values(corpus);
const cases = Object.entries(corpus);

describe.each([3, 4, 5] as const)('for provider %s', (provider) => {
  it.each(cases)('every format carries %s', async (_, answer) => {
    const expected = expectedResource(answer, provider);
    const text = (format: 'tfjson' | 'hcl' | 'cdktf') =>
      stackOf(answer, { provider, format }).resourceFile.text;
    expect(readTerraformJson(text('tfjson'))).toEqual(expected);
    expect(await readHcl(text('hcl'))).toEqual(expected);
  });
});

it.each(cases)('CDKTF, synthesised, carries %s', (_, answer) => {
  const { resourceFile } = stackOf(answer, { format: 'cdktf' });
  expect(readStack(resourceFile.text)).toEqual(expectedResource(answer, 5));
});

it('CDKTF stacks of the whole corpus compile under strict', () => {
  const sources = all.map((answer) => stackOf(answer, { format: 'cdktf' }).resourceFile.text);
  expect(typeErrors(sources)).toEqual([]);
});
