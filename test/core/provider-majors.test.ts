import { allowedMajors, allowsVersion } from '../../src/core/provider-majors';

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
  ['< 4', [3]],
  ['< 4.0.1', [3, 4]],
  ['no constraint', [3, 4, 5]],
  ['', [3, 4, 5]],
])('the version constraint %s allows the majors %j', (constraint, majors) => {
  expect(allowedMajors(constraint)).toEqual(majors);
});

it.each([
  ['~> 3.35', true],
  ['~> 3', true],
  ['~> 3.35.0', true],
  ['~> 3.34.0', false],
  ['~> 3.30, < 3.35', false],
  ['~> 3.30, <= 3.35', true],
  ['>= 3.30, != 3.35.0', false],
  ['>= 3.35.1', false],
  ['> 3.34', true],
  ['> 3.35', false],
  ['3.34.0', false],
  ['= v3.35', true],
  ['3.36.0-beta1', true],
  ['', true],
])('the version constraint %s allows 3.35.0: %s', (constraint, isAllowed) => {
  expect(allowsVersion(constraint, '3.35.0')).toBe(isAllowed);
});
