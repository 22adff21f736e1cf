import { decodeText } from '../../src/tfstate/state-document';

const decoded = (text: string) => {
  const bytes = Buffer.from(`"${text}"`);
  return decodeText(bytes, 1, bytes.length - 1);
};

describe('a range of bytes', () => {
  it.each(['', 'plain', 'é', '日本 👩‍🚀', '\ufeffx', '\0\u007f\u0080'])('is the text %j', (text) => {
    expect(decoded(text)).toBe(text);
  });

  it('is the same text where it is too large for a copy', () => {
    const text = 'é'.repeat(2 ** 24 + 1);
    expect(decoded(text) === text).toBe(true);
  });

  it.each([[[0xe9]], [[0xc3]], [[0xed, 0xa0, 0x80]]])('is refused where it is %j', (bytes) => {
    expect(() => decodeText(Buffer.from(bytes), 0, bytes.length)).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID' }),
    );
  });
});
