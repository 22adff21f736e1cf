import { withBinary } from '../../../src/plan/formats/plan-formats';
import { everyStep } from '../support/every-step';

const words = (binary: string) =>
  withBinary(everyStep, binary).steps.flatMap(({ runs = [] }) => runs.map(({ argv }) => argv));

describe('a plan for another binary', () => {
  it('begins each command of Terraform with it, and no other', () => {
    const before = words('terraform');
    expect(new Set(before.map(([first]) => first))).toEqual(
      new Set(['terraform', 'cf-waf-migrate']),
    );
    expect(words('/opt/tofu')).toEqual(
      before.map(([first, ...rest]) => [first === 'terraform' ? '/opt/tofu' : first, ...rest]),
    );
  });

  it('is the same in all else', () => {
    expect(withBinary(everyStep, 'terraform')).toBe(everyStep);
    const back = withBinary(withBinary(everyStep, 'tofu'), 'tofu');
    expect(back).not.toEqual(everyStep);
    const text = JSON.stringify(back).replaceAll('["tofu"', '["terraform"');
    expect(JSON.parse(text)).toEqual(everyStep);
    expect(back.steps.map((step) => 'runs' in step)).toEqual(
      everyStep.steps.map((step) => 'runs' in step),
    );
  });
});
