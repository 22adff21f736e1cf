import { type FormatName } from '../../src/core/format-names';
import { expectedResource } from './support/expected-resource';
import { stackOf } from './support/generate-files';
import { live } from './support/live-answer';
import { readHcl, readStack, readTerraformJson } from './support/read-back';

/** The forms of a stack of its own. */
type StackFormat = Exclude<FormatName, 'construct'>;

const formats: StackFormat[] = ['tfjson', 'hcl', 'cdktf'];
const read = { tfjson: readTerraformJson, hcl: readHcl, cdktf: readStack };
const id = (number: number) => number.toString(16).padStart(32, '0');

describe.each(formats)('in %s', (format) => {
  const carries = async (answer: ReturnType<typeof live>) => {
    const { resourceFile, findings } = stackOf(answer, { format });
    expect(await read[format](resourceFile.text)).toEqual(expectedResource(answer as any, 5));
    return findings;
  };

  it('ten thousand overrides are carried', async () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => ({
      id: id(index),
      action: 'log',
      enabled: index % 2 === 0,
    }));
    const parameters = { id: id(1), overrides: { rules } };
    expect(await carries(live({ action: 'execute', action_parameters: parameters }))).toEqual([]);
  });

  it('a thousand rules are carried', async () => {
    const rules = Array.from({ length: 1000 }, (_, index) => ({ description: `rule ${index}` }));
    expect(await carries(live(...rules))).toEqual([]);
  });

  it('a map of two thousand keys is carried', async () => {
    const keys = Array.from({ length: 2000 }, (_, index) => [`k${index}`, [id(index)]]);
    const parameters = { rules: Object.fromEntries(keys) };
    const answer = live({
      action: 'skip',
      logging: { enabled: true },
      action_parameters: parameters,
    });
    expect(await carries(answer)).toEqual([]);
  });

  it('a name and a description of 10 KB, and an expression of 100 KB, are carried', async () => {
    const answer = {
      ...live({ expression: 'x'.repeat(100_000), description: 'd'.repeat(10_240) }),
      name: 'n'.repeat(10_240),
    };
    expect(await carries(answer)).toEqual([
      expect.objectContaining({ code: 'EXPRESSION_LONG', severity: 'info' }),
    ]);
  });
});

it('a finding for each of 150,000 overrides is no crash', () => {
  const rules = Array.from({ length: 150_000 }, (_, index) => ({ id: id(index), odd: 1 }));
  const parameters = { id: id(1), overrides: { rules } };
  const { findings } = stackOf(live({ action: 'execute', action_parameters: parameters }));
  const codes = findings.map(({ code }) => code);
  expect(codes.filter((code) => code === 'FIELD_NOT_SUPPORTED')).toHaveLength(150_000);
});
