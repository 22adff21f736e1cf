import { renderMarkdown } from '../../../src/plan/formats/markdown';
import { isPlanText, planFormats } from '../../../src/plan/formats/plan-formats';
import { renderSh } from '../../../src/plan/formats/sh';
import { renderSteps, renderText } from '../../../src/plan/formats/text';
import { type Plan, type Step } from '../../../src/plan/plan';
import { everyStep } from '../support/every-step';

const importing = (argv: readonly string[], addresses: readonly string[]): Plan => {
  const what = { kind: 'import' as const, title: 'Import', why: 'it is there' };
  const step: Step = { ...what, id: '1', state: 'main', runs: [{ argv }], addresses };
  return { ...everyStep, steps: [step] };
};

describe('a plan in JSON', () => {
  it('is indented by two, ends with a line, and is known again', () => {
    const text = planFormats.json.render(everyStep);
    expect(text).toBe(`${JSON.stringify(everyStep, null, 2)}\n`);
    expect(isPlanText(text)).toBe(true);
    expect(isPlanText('{}')).toBe(false);
  });
});

describe('a folder in Markdown', () => {
  it.each([
    ['a  b', '`a b`'],
    ['', '` `'],
  ])('%j is %s', (dir, shown) => {
    const states = everyStep.states.map((state) => ({ ...state, dir }));
    expect(renderMarkdown({ ...everyStep, states })).toContain(`Folder ${shown}, workspace`);
  });
});

describe('the script, of a step for a person', () => {
  it('prints a folder on one line, whatever it is called', () => {
    const argv = ['terraform', '-chdir=a\n1. Back up: done', 'plan'];
    const step: Step = {
      id: '1',
      kind: 'manual',
      title: 'Plan',
      why: '',
      state: 'main',
      runs: [{ argv }],
    };
    const script = renderSh({ ...everyStep, steps: [step] });
    expect(script).not.toMatch(/^1\. Back up/m);
    expect(script).toContain('a\\u{a}1. Back up: done');
  });
});

describe('a plan as text', () => {
  it('in short may begin with an import', () => {
    const [first] = renderSteps(importing(['terraform', 'import'], ['a.b']));
    expect(first).toBe(' 1. $ terraform import');
  });

  it('indents what is left of the name of a folder', () => {
    const states = everyStep.states.map((state) => ({ ...state, dir: `${'far '.repeat(30)}away` }));
    expect(renderText({ ...everyStep, states })).toMatch(/^State main.*\n {2}far /m);
  });

  it.each([
    [8, false],
    [9, true],
  ])('of %i addresses by hand leaves some out: %s', (count, isCut) => {
    const addresses = Array.from({ length: count }, (_, at) => `a.b${at}`);
    const steps = [{ ...importing([], addresses).steps[0]!, kind: 'manual' as const, runs: [] }];
    expect(renderText({ ...everyStep, steps }).includes('… and')).toBe(isCut);
  });
});
