import { core, rulesetOf } from './support/compared-rulesets';
import { owasp, SCORING } from './support/old-zone';
import { compared, HOST, rowsOf } from './support/weighed-rulesets';

const LEVELS = [1, 2, 3, 4];
/** The levels of which something is said: those that are on, and those that are off. */
const levels = (on: readonly number[], off = LEVELS.filter((level) => !on.includes(level))) => [
  ...on.map((level) => ({ category: `paranoia-level-${level}`, enabled: true })),
  ...off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
];
const counting = (on: readonly number[], threshold = 40, off?: readonly number[]) => ({
  categories: levels(on, off as number[]),
  rules: [{ id: SCORING, action: 'block', score_threshold: threshold, enabled: true }],
});
const settings = (sensitivity: string) => ({ packages: [owasp(sensitivity)] });
const told = (sensitivity: string, overrides: Parameters<typeof core>[0]) =>
  compared(settings(sensitivity), rulesetOf(core(overrides)));
const rows = (sensitivity: string, overrides: Parameters<typeof core>[0]) =>
  told(sensitivity, overrides).parity.settings;
const isDecision = (sensitivity: string, overrides: Parameters<typeof core>[0]) =>
  told(sensitivity, overrides).findings.some(
    ({ code, severity }) => code === 'OWASP_WEAKER' && severity === 'decision',
  );

describe('OWASP without its first paranoia level is lost, whatever else is on', () => {
  it.each([
    [[3, 4], 'off: paranoia level 1 and 2'],
    [[2], 'off: paranoia level 1, 3 and 4'],
    [[2, 3, 4], 'off: paranoia level 1'],
  ])('%j', (on, to) => {
    expect(rows('high', counting(on))).toMatchObject([
      {
        status: 'lost',
        to,
        why: expect.stringContaining('each level adds to those below it') as string,
      },
      { status: 'lost', to },
    ]);
  });

  it('also where nothing is said of the others', () => {
    const [sensitivity] = rows('high', counting([], 40, [1]));
    expect(sensitivity).toMatchObject({ status: 'lost', to: 'off: paranoia level 1' });
  });
});

it.each([
  ['high', 2, 40, [3, 4]],
  ['medium', 1, 25, [2, 3, 4]],
  ['low', 1, 40, [2, 3, 4]],
])(
  'what the service proposes for %s is level %i: it only switches the higher ones off',
  (sensitivity, level, threshold, off) => {
    const proposed = counting([], threshold, off);
    const [row] = rows(sensitivity, proposed);
    expect(row!.to).toBe(`paranoia level ${level}, score threshold ${threshold}`);
    expect([row!.weaker, isDecision(sensitivity, proposed)]).toEqual([undefined, false]);
  },
);

describe('a paranoia level that is not the one of the table', () => {
  it.each([
    ['high', [1], 'paranoia level 1', true],
    ['high', [1, 3, 4], 'paranoia level 4 without 2', true],
    ['high', [1, 2, 4], 'paranoia level 4 without 3', false],
    ['high', [1, 2, 3], 'paranoia level 3', false],
    ['low', [1, 2], 'paranoia level 2', false],
  ])('of %s: %j', (sensitivity, on, level, decides) => {
    const asked = sensitivity === 'low' ? 1 : 2;
    const [row] = rows(sensitivity, counting(on));
    expect(row).toMatchObject({
      status: 'changed',
      to: `${level}, score threshold 40`,
      why: expect.stringContaining(
        `the table of the migration asks for paranoia level ${asked}`,
      ) as string,
    });
    expect(row!.weaker).toBe(decides ? true : undefined);
    expect(isDecision(sensitivity, counting(on))).toBe(decides);
  });

  it.each([
    [[1, 3, 4], true],
    [[1], false],
  ])('is told to lack one below another where it does: %j', (on, lacks) => {
    const { why } = rows('high', counting(on))[0]!;
    expect(why!.includes('each level adds to those below it')).toBe(lacks);
  });

  it('is not known where the default decides, of which the first level is sure', () => {
    const [row] = rows('high', undefined);
    expect(row).toMatchObject({
      to: 'paranoia level 1 (not known whether 2, 3 and 4 too), score threshold 40',
      why: expect.stringContaining('the default is documented in two ways') as string,
      weaker: true,
    });
    expect(isDecision('low', undefined)).toBe(false);
    expect(isDecision('high', counting([2], 40, []))).toBe(false);
  });

  it('is all four where the whole ruleset is switched on', () => {
    expect(rows('high', { enabled: true })[0]!.to).toBe('paranoia level 4, score threshold 40');
  });
});

describe('a score threshold that is not the one of the table', () => {
  it.each([
    ['high', 1_000_000, 40, true],
    ['medium', 40, 25, true],
    ['high', 25, 40, false],
  ])('of %s: %i', (sensitivity, threshold, asked, decides) => {
    const overrides = counting(sensitivity === 'high' ? [1, 2] : [1], threshold);
    expect(rows(sensitivity, overrides)[0]).toMatchObject({
      to: expect.stringContaining(`score threshold ${threshold}`) as string,
      why: expect.stringContaining(
        `the table of the migration asks for the score threshold ${asked}`,
      ) as string,
    });
    expect(isDecision(sensitivity, overrides)).toBe(decides);
  });

  it('that some requests alone meet is told with those that meet the other one', () => {
    const [row] = rowsOf(
      settings('high'),
      core(counting([1, 2], 1_000_000), { expression: HOST }),
      core(counting([1, 2]), { expression: `not (${HOST})` }),
    );
    expect(row).toMatchObject({ partial: true, to: expect.stringContaining('not (') as string });
  });
});

it.each(['high', 'medium', 'low', 'default'])(
  'the levels of the table are told as such: %s',
  (old) => {
    const level = old === 'high' || old === 'default' ? [1, 2] : [1];
    const overrides = counting(level, old === 'medium' ? 25 : 40);
    expect(rows(old, overrides)[0]!.why).toMatch(
      /^the OWASP rules of today \(3\.x\) count differently/,
    );
    expect(isDecision(old, overrides)).toBe(false);
  },
);
