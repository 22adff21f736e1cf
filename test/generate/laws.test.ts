import fc from 'fast-check';
import { liveRuleset } from './support/arbitrary-ruleset';
import { expectedResource } from './support/expected-resource';
import { textOf } from './support/generate-files';
import { readHcl, readStack, readTerraformJson } from './support/read-back';
import { runs } from './support/runs';

const majors = [3, 4, 5] as const;

describe('read back, a stack is the ruleset that the service answered', () => {
  it.each(majors)('as Terraform JSON for provider %s', (provider) => {
    fc.assert(
      fc.property(liveRuleset, (answer) => {
        const text = textOf(answer, { format: 'tfjson', provider });
        expect(readTerraformJson(text)).toEqual(expectedResource(answer, provider));
      }),
      runs(200),
    );
  });

  it.each(majors)('as HCL for provider %s', async (provider) => {
    await fc.assert(
      fc.asyncProperty(liveRuleset, async (answer) => {
        const text = textOf(answer, { format: 'hcl', provider });
        expect(await readHcl(text)).toEqual(expectedResource(answer, provider));
      }),
      runs(60),
    );
  });

  it('as CDKTF, synthesised', () => {
    fc.assert(
      fc.property(liveRuleset, (answer) => {
        const text = textOf(answer, { format: 'cdktf' });
        expect(readStack(text)).toEqual(expectedResource(answer, 5));
      }),
      runs(150),
    );
  });
});
