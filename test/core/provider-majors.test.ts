import { allowedMajors, overlap, versionRange } from '../../src/core/provider-majors';

it.each([
  ['~> 3.35', [3]],
  ['~> 4', [4]],
  ['4.52.8', [4]],
  ['= 5.22.0', [5]],
  ['>= 3.35', [3, 4, 5]],
  ['>= 3.35, < 4.0.0', [3]],
  ['>= 3.35, < 4.52', [3, 4]],
  ['> 4.0, <= 4.99, != 4.3.0', [4]],
  ['~> 2.27', []],
  ['', [3, 4, 5]],
])('the version constraint %s allows the majors %j', (constraint, majors) => {
  expect(allowedMajors(constraint)).toEqual(majors);
});

it.each([
  ['~> 4.52, >= 4.52.5', '~> 4.0', true],
  ['~> 4.52, >= 4.52.5', '>= 3.35', true],
  ['~> 4.52, >= 4.52.5', '4.52.5', true],
  ['~> 4.52, >= 4.52.5', '<= 4.52.5', true],
  ['~> 4.52, >= 4.52.5', '4.20.0', false],
  ['~> 4.52, >= 4.52.5', '< 4.52.5', false],
  ['~> 4.52, >= 4.52.5', '~> 4.51.0', false],
  ['>= 5.19, < 6', '> 5.22.0, != 5.23.0', true],
  ['>= 5.19, < 6', '~> 5', true],
  ['>= 5.19, < 6', '~> 3.35', false],
  ['~> 3.35', '~> 2.0', false],
  ['~> 3.35', 'no constraint', true],
])('that %s and %s allow a version in common is %p', (one, other, expected) => {
  expect(overlap(versionRange(one), versionRange(other))).toBe(expected);
  expect(overlap(versionRange(other), versionRange(one))).toBe(expected);
});
