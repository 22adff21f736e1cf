import { overlap, versionRange } from '../../src/core/version-range';

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
