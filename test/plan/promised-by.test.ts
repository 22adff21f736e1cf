import { type Expects, type Step, promisedBy } from '../../src/plan/plan';

const step = (expects?: Expects, more: Partial<Step> = {}): Step => ({
  ...{ id: '1', kind: 'manual', state: 'main', title: '', why: '' },
  ...(expects !== undefined && { expects }),
  ...more,
});
const check = (plan: NonNullable<Expects['plan']>, ...argvs: readonly string[][]): Step =>
  step({ plan }, { kind: 'check', runs: argvs.map((argv) => ({ argv: ['terraform', ...argv] })) });
const flagsOf = (...steps: readonly Step[]) => promisedBy(steps, 'main').flags;

describe('what the steps of a state promise', () => {
  it('is the sum of what they expect, of which the last word counts', () => {
    const steps = [
      step({ gone: ['a', 'b'], present: ['c'] }),
      step(),
      step({ gone: ['c'], present: ['b', 'd'] }),
    ];
    expect(promisedBy(steps, 'main')).toEqual({
      ...{ gone: ['a', 'c'], present: ['b', 'd'], flags: undefined },
    });
  });

  it('is nothing of another state', () => {
    const other = [step({ gone: ['a'], present: ['b'] }), check('empty', ['plan', '-var=a'])];
    expect(promisedBy(other, 'second')).toEqual({ gone: [], present: [], flags: undefined });
  });

  it('has the inputs of the last full plan, and not how it ends', () => {
    const words = ['-input=false', '-detailed-exitcode', '-out=p', '-var=a', '-var-file=f'];
    const first = check('empty', ['plan', '-var=first']);
    expect(flagsOf(first, check('empty', ['-chdir=x', 'plan', ...words]))).toEqual([
      '-var=a',
      '-var-file=f',
    ]);
    expect(flagsOf(check('empty', ['plan', '-outer=a', 'x-out=b']))).toEqual([
      ...['-outer=a', 'x-out=b'],
    ]);
  });

  it('has each target once, where a full plan does not work', () => {
    const target = (address: string) =>
      check('target-empty', ['plan', '-input=false', '-var=v', `-target=${address}`]);
    expect(flagsOf(check('empty', ['plan', '-var=w']), step(), target('a'), target('b'))).toEqual([
      ...['-var=v', '-target=a', '-target=b'],
    ]);
  });

  it('has no flags where no step checks, or the last check expects nothing', () => {
    const saved = step({ plan: 'empty' }, { kind: 'apply-blocks' });
    expect(flagsOf(saved)).toBeUndefined();
    expect(flagsOf(check('empty', ['plan', '-var=a']), saved)).toEqual(['-var=a']);
    expect(flagsOf(check('empty', ['plan']), step({}, { kind: 'check' }))).toBeUndefined();
    expect(flagsOf(check('empty', ['plan']), step(undefined, { kind: 'check' }))).toBeUndefined();
    expect(flagsOf(step({ plan: 'empty' }, { kind: 'check' }))).toEqual([]);
  });
});
