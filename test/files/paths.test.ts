import { posix, win32 } from 'node:path';
import { folderAbove, planFolder } from '../../src/files/paths';

describe('the name of a folder in a plan', () => {
  it.each([
    ['C:\\infra', 'C:\\infra\\prod\\waf', 'prod/waf'],
    ['C:\\infra', 'c:\\Infra', '.'],
    ['C:\\infra\\prod', 'C:\\infra\\modules', '../modules'],
    ['C:\\infra', 'D:\\waf', 'D:/waf'],
  ])('on Windows, from %s to %s: %s', (from, to, name) => {
    expect(planFolder(from, to, win32)).toBe(name);
  });

  it.each([
    ['/infra', '/infra/prod/waf', 'prod/waf'],
    ['/infra', '/infra', '.'],
    ['/infra', '/infra/a\\b', 'a\\b'],
  ])('elsewhere, from %s to %s: %s', (from, to, name) => {
    expect(planFolder(from, to, posix)).toBe(name);
  });
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
