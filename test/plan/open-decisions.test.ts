import { type Finding } from '../../src/core/finding';
import { openDecisions } from '../../src/plan/findings';
import { type Plan, type Step } from '../../src/plan/plan';

const finding = (code: string, severity: Finding['severity'] = 'decision'): Finding => ({
  ...{ code, severity, subject: 'cloudflare_waf_rule.a', message: 'so', remedy: 'do' },
});
const gone = finding('BLOCK_ALREADY_GONE');
const lasting = finding('PAGE_RULE_SWITCHES_WAF');
const check = (id: string, state: string, ...flags: string[]): Step => ({
  ...{ id, kind: 'check', state, title: '', why: '', expects: { plan: 'empty' } },
  runs: [{ argv: ['terraform', 'plan', ...flags] }],
});

const twice = (step: Step, flag: string): Step => ({
  ...step,
  runs: [...step.runs!, { argv: ['terraform', 'plan', flag] }],
});
const bare = (id: string, state: string): Step => ({
  ...{ id, kind: 'manual', state, title: '', why: '' },
});

const openOf = (steps: readonly Step[], done: readonly string[], code = gone.code): string[] => {
  const states = [{ name: 'one' }, { name: 'two' }];
  const findings = [finding(code), lasting, finding('RULESET_IN_STATE', 'info')];
  const plan = { states, steps, findings } as unknown as Plan;
  return openDecisions(plan, new Set(done)).map(({ code }) => code);
};

it('a decision is answered by the step of a person that is about its subject', () => {
  const byHand = { ...bare('1', 'one'), addresses: [gone.subject] };
  expect(openOf([byHand], ['1'])).toEqual([]);
  expect(openOf([byHand], [])).toEqual([gone.code, lasting.code]);
  expect(openOf([{ ...byHand, kind: 'remove' }], ['1'])).toEqual([gone.code, lasting.code]);
  const byCommand = { ...byHand, runs: [{ argv: ['cf-waf-migrate', 'generate'] }] };
  expect(openOf([byCommand], ['1'])).toEqual([gone.code, lasting.code]);
});

describe('a decision about what Terraform would do next', () => {
  const all = [gone.code, lasting.code];

  it('is answered by an empty plan of every state, and no other one is', () => {
    expect(openOf([check('1', 'one'), check('2', 'two')], ['1', '2'])).toEqual([lasting.code]);
  });

  it('is answered so in a folder whose name has a target in it, too', () => {
    const steps = ['one', 'two'].map((state, at) =>
      check(String(at), state, `-chdir=${state}-target`),
    );
    expect(openOf(steps, ['0', '1'])).toEqual([lasting.code]);
  });

  it.each([
    ...['BLOCK_ALREADY_GONE', 'BLOCK_REFERENCED', 'ENTRY_POINT_NOT_DECLARED', 'MODULE_NOT_EDITED'],
    ...['LEGACY_BLOCKS_DECLARED', 'PLANNING_BLOCKED', 'RULESET_OF_OTHER_PROVIDER'],
    ...['ENTRY_POINT_NOT_IMPORTED', 'RULESET_WOULD_BE_REPLACED'],
  ])('%s is such a one', (code) => {
    expect(openOf([check('1', 'one'), check('2', 'two')], ['1', '2'], code)).toEqual([
      lasting.code,
    ]);
  });

  it.each([
    ['while a state is not checked', [check('1', 'one'), check('2', 'two')], ['1']],
    ['where a state has no check', [check('1', 'one')], ['1']],
    [
      'where a check is of targets alone',
      [check('1', 'one'), check('2', 'two', '-target=a')],
      ['1', '2'],
    ],
    [
      'where one of several runs is of targets alone',
      [check('1', 'one'), twice(check('2', 'two'), '-target=a')],
      ['1', '2'],
    ],
    [
      'where another step is done',
      [check('1', 'one'), { ...check('2', 'two'), expects: { plan: 'target-empty' } }],
      ['1', '2'],
    ],
    ['where a step expects nothing', [check('1', 'one'), bare('2', 'two')], ['1', '2']],
  ] as const)('is open %s', (_, steps, done) => {
    expect(openOf(steps, done)).toEqual(all);
  });
});
