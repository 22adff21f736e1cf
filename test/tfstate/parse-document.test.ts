import { constants } from 'node:buffer';
import { parseDocument } from '../../src/tfstate/state-document';

const refusal = (bytes: Buffer): string => {
  try {
    return String(parseDocument(bytes));
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return `${message} | ${hint}`;
  }
};

describe('a file that is no JSON', () => {
  it.each([
    [[0xff, 0xfe], 'UTF-16'],
    [[0xfe, 0xff], 'UTF-16'],
    [[0xff, 0xff], 'not UTF-8'],
    [[0xfe, 0xfe], 'not UTF-8'],
    [[0x7b, 0xfe], 'not UTF-8'],
    [[0x7b, 0xff], 'not UTF-8'],
    [[0x50, 0x4b], 'zip'],
    [[0x50, 0x50], 'not JSON'],
    [[0x4b, 0x4b], 'not JSON'],
    [[0x1f, 0x8b], 'gzip'],
    [[0x1f, 0x1f], 'not JSON'],
    [[0x7b, 0x8b], 'not UTF-8'],
  ])('is told by both of its first bytes: %j is %s', (bytes, text) => {
    expect(refusal(Buffer.from(bytes))).toContain(text);
  });

  it('is to be what terraform state pull prints', () => {
    const hint = '| pass what `terraform state pull` prints, as it is';
    expect(refusal(Buffer.from('PK'))).toBe(`the file is a zip archive or a saved plan ${hint}`);
    expect(refusal(Buffer.from('[1 2]'))).toBe(`the state is not JSON: line 1, column 4 ${hint}`);
  });

  it('is refused where it is longer than a text can be', () => {
    // the bytes are never read: the system lends them
    const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH + 1);
    expect(refusal(bytes)).toContain(`has ${bytes.length} bytes and is not laid out as Terraform`);
  });
});
