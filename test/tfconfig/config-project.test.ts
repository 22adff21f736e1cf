import { configFault, LineIndex } from '../../src/tfconfig/line-index';
import { calledFolder } from '../../src/tfconfig/config';

describe('the folder of a module that is called', () => {
  test.each([
    ['.', './m', 'm'],
    ['.', '.', '.'],
    ['.', '..', '..'],
    ['.', '../..', '../..'],
    ['..', '../x', '../../x'],
    ['a', '..', '.'],
    ['a', '../../x', '../x'],
    ['a/b', '../c', 'a/c'],
    ['a', './b/./c//d/', 'a/b/c/d'],
    ['.', '.\\m\\n', 'm/n'],
  ])('from %j by %j is %j', (dir, source, folder) => {
    expect(calledFolder(dir, source)).toBe(folder);
  });

  test.each([undefined, 'm', '.m', '..m', 'x/../m', 'https://example.com/./m', '/m'])(
    'is none of this configuration by %j',
    (source) => {
      expect(calledFolder('.', source)).toBeUndefined();
    },
  );
});

test('a fault says where, and how to mend it where that is known', () => {
  const lines = new LineIndex('a\nbc\n');
  expect(configFault('main.tf', lines, 3, 'what')).toMatchObject({
    code: 'CONFIG_INVALID',
    message: 'main.tf:2:2: what',
    hint: expect.stringMatching(/^correct the file/),
  });
});
