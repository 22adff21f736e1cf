import { groupByPlan, type SavedPlan } from '../../src/fleet/group-zones';
import { wavesOf } from '../../src/fleet/run-fleet';
import { everyStep } from '../plan/support/every-step';

const id = (digit: string): string => digit.repeat(32);
const zones = (...digits: string[]) =>
  digits.map((digit) => ({ id: id(digit), name: `${digit}.example` }));
/** It has a blocker. */
const everyStepOf = (...digits: string[]) => ({
  ...everyStep,
  zones: digits.map((digit) => ({ ...everyStep.zones[0]!, zoneId: id(digit) })),
});
const plan = (file: string, digits: string[], place = file): SavedPlan => ({
  ...{ file, folder: '.', place: '' },
  plan: { ...everyStepOf(...digits), findings: [] },
  places: [place],
  edited: [file],
});
const grouped = (list: string[], ...plans: SavedPlan[]) => {
  const { groups, refused } = groupByPlan(zones(...list), plans, false);
  return {
    groups: groups.map((group) => [group.file, group.zones.map(({ name }) => name.charAt(0))]),
    refused: refused.map(({ text, error }) => `${text.charAt(0)} ${error.code}`),
  };
};

it.each<[string, string[], SavedPlan[], ReturnType<typeof grouped>]>([
  [
    'found by the plans themselves, in the order of the list',
    ['b', 'c', 'a'],
    [plan('one', ['a', 'c']), plan('two', ['b'])],
    {
      groups: [
        ['two', ['b']],
        ['one', ['c', 'a']],
      ],
      refused: [],
    },
  ],
  [
    'missing for a zone that none is for; the others go on',
    ['a', 'b'],
    [plan('one', ['a'])],
    { groups: [['one', ['a']]], refused: ['b ZONE_NOT_PLANNED'] },
  ],
  [
    'not applied when it is for a zone that is not listed',
    ['a', 'b'],
    [plan('one', ['a', 'c']), plan('two', ['b'])],
    { groups: [['two', ['b']]], refused: ['a PLAN_OF_OTHER_ZONES'] },
  ],
  [
    'not chosen between two for the same zone',
    ['a', 'b'],
    [plan('one', ['a', 'b']), plan('two', ['b'])],
    { groups: [], refused: ['a PLANS_OVERLAP', 'b PLANS_OVERLAP'] },
  ],
  [
    'not run when it has a blocker; the others go on',
    ['a', 'b'],
    [{ ...plan('one', ['a']), plan: everyStepOf('a') }, plan('two', ['b'])],
    { groups: [['two', ['b']]], refused: ['a PLAN_INVALID'] },
  ],
  [
    'left alone when none of its zones is listed, whatever it overlaps with',
    ['a'],
    [plan('one', ['a']), plan('two', ['c'], 'one'), plan('three', ['c'])],
    { groups: [['one', ['a']]], refused: [] },
  ],
])('the plan of each zone is %s', (_, list, plans, expected) => {
  expect(grouped(list, ...plans)).toEqual(expected);
});

it('two plans for one zone, of which one has a blocker: the hint says which to delete', () => {
  const blocked = { ...plan('one', ['a']), plan: everyStepOf('a') };
  const { refused } = groupByPlan(zones('a'), [blocked, plan('two', ['a'])], false);
  expect(refused.map(({ error }) => error.hint)).toEqual(['delete one, which has a blocker']);
});

describe('waves of plans', () => {
  const groups = [['a', 'b', 'c'], ['d'], ['e', 'f'], ['g']].map((digits) => ({
    zones: zones(...digits),
  }));
  const names = ({ waves }: ReturnType<typeof wavesOf>): string[] =>
    waves.map((wave) =>
      wave.map((group) => group.zones.map(({ name }) => name.charAt(0)).join('')).join(' '),
    );

  it('never part a plan, and count its zones', () => {
    const none = new Set<string>();
    expect(names(wavesOf(groups, { size: 3, canaries: none }))).toEqual(['abc', 'd ef', 'g']);
    expect(names(wavesOf(groups, { size: 1, canaries: none }))).toEqual(['abc', 'd', 'ef', 'g']);
  });

  it('begin with the plans of the canaries', () => {
    const canaries = new Set([id('f'), id('g')]);
    expect(names(wavesOf(groups, { size: 4, canaries }))).toEqual(['ef g', 'abc d']);
  });
});
