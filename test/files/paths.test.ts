import { posix, win32 } from 'node:path';
import { folderAbove, planFolder } from '../../src/files/paths';

it.each([
  ['/infra', '/infra/prod/waf', 'prod/waf'],
  ['/infra', '/modules', '../modules'],
  ['/infra', '/infra', '.'],
])('names a folder in a plan of %s: %s is %s', (from, to, name) => {
  expect(planFolder(from, to)).toBe(name);
});

describe('the folder above others', () => {
  it.each([
    [['C:\\infra\\prod', 'C:\\infra\\modules\\a'], 'C:\\infra'],
    [['C:\\infra', 'C:\\modules'], 'C:\\'],
    [['C:\\infra\\prod'], 'C:\\infra\\prod'],
  ])('on Windows: %j', (paths, above) => {
    expect(folderAbove(paths, win32)).toBe(above);
  });

  it.each([
    [['/infra/prod', '/infra/modules/a'], '/infra'],
    [['/infra', '/modules'], '/'],
    [['/infra/prod', '/infra/prod2'], '/infra'],
  ])('elsewhere: %j', (paths, above) => {
    expect(folderAbove(paths, posix)).toBe(above);
  });
});
