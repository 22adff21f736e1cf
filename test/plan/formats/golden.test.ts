import { planFormats } from '../../../src/plan/formats/plan-formats';
import { renderSteps } from '../../../src/plan/formats/text';
import { withBinary } from '../../../src/plan/formats/plan-formats';
import { type Plan } from '../../../src/plan/plan';
import { expectGolden, goldenFiles } from '../../generate/support/golden';
import { everyStep } from '../support/every-step';

const plans: Readonly<Record<string, () => Plan>> = {
  'every-step': () => everyStep,
  'another-binary': () => withBinary({ ...everyStep, steps: everyStep.steps.slice(0, 5) }, 'tofu'),
};
const { text, sh, markdown } = planFormats;
const formats = {
  text: text.render,
  sh: sh.render,
  markdown: markdown.render,
  short: (plan: Plan) => renderSteps(plan).join('\n'),
};

describe('a plan, as a person reads it', () => {
  const files = Object.keys(plans).flatMap((name) =>
    Object.entries(formats).map(([format, render]) => ({ name, format, render })),
  );

  it.each(files)('of $name, as $format', ({ name, format, render }) => {
    expectGolden('plan-formats', `${name}-${format}.txt`, render(plans[name]!()));
  });

  it('has no other file', () => {
    expect(goldenFiles('plan-formats')).toEqual(
      files.map(({ name, format }) => `${name}-${format}.txt`).sort(),
    );
  });
});
