import { decodeConfig } from '../../src/tfconfig/config-source';
import { objectsOf } from '../../src/tfconfig/config';

describe('the text of a file', () => {
  const largest = 32 * 1024 * 1024;

  test('may be as long as 32 MB', () => {
    expect(decodeConfig({ path: 'a.tf', bytes: new Uint8Array(largest) })).toHaveLength(largest);
    const read = () => decodeConfig({ path: 'a.tf', bytes: new Uint8Array(largest + 1) });
    expect(read).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: 'a.tf is larger than 32 MB' }),
    );
  });

  test('is refused where it is no UTF-8, for the reason that the decoder gives', () => {
    expect(() => decodeConfig({ path: 'a.tf', bytes: Uint8Array.of(0x61, 0xff) })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: 'a.tf is not UTF-8 text',
        cause: expect.objectContaining({ name: 'TypeError' }) as Error,
      }),
    );
  });
});

describe('the objects of an argument', () => {
  const one = new Map([['a', 1]]);

  test.each([
    [undefined, []],
    ['text', []],
    [one, [one]],
    [[], []],
    [['text', one, [one]], [one]],
  ])('%j', (value, objects) => {
    expect(objectsOf(value)).toEqual(objects);
  });
});
