import fc from 'fast-check';
import { anyCharacter } from '../support/any-character';
import { findJsonFault } from '../../src/state/json-fault';
import { damaged, parsed } from '../support/arbitrary-json';

const document = fc
  .tuple(fc.jsonValue({ stringUnit: anyCharacter }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

describe('the place where a text stops being JSON', () => {
  it('does not exist when JSON.parse takes it, and exists when it does not', () => {
    fc.assert(
      fc.property(fc.oneof(document, damaged(document), fc.string()), (text) => {
        expect(findJsonFault(text) === undefined).toBe(parsed(text) !== undefined);
      }),
      { numRuns: 1500 },
    );
  });

  it('is where JSON.parse says, when it says where', () => {
    fc.assert(
      fc.property(damaged(document), (text) => {
        const fault = findJsonFault(text);
        try {
          JSON.parse(text);
        } catch (error) {
          const position = /position (\d+)/.exec(String(error))?.[1];
          if (position === undefined) return;
          // V8 points behind a broken escape or number, this at its beginning.
          const distance = Number(position) - offsetOf(text, fault!);
          expect(distance).toBeGreaterThanOrEqual(fault!.truncated ? -5 : 0);
          expect(distance).toBeLessThanOrEqual(6);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('is the end of a document that was cut off anywhere', () => {
    fc.assert(
      fc.property(
        document.filter((text) => /^[[{"]/.test(text)),
        fc.nat(),
        (text, seed) => {
          const part = text.slice(0, seed % text.length);
          expect(findJsonFault(part)).toEqual(expect.objectContaining({ truncated: true }));
          expect(offsetOf(part, findJsonFault(part)!)).toBe(part.length);
        },
      ),
    );
  });

  it.each([
    ['{"a": x}', 1, 7, false],
    ['{\n  "a": 1,\n  }', 3, 3, false],
    ['{"a" 1}', 1, 6, false],
    ['[1 2]', 1, 4, false],
    ['[1]\n[2]', 2, 1, false],
    ["{'a': 1}", 1, 2, false],
    ['{"a": "\n"}', 1, 8, false],
    ['{"a": "\\q"}', 1, 8, false],
    ['[01]', 1, 3, false],
    ['[1}', 1, 3, false],
    ['<html>', 1, 1, false],
    ['{"a":}', 1, 6, false],
    ['[,]', 1, 2, false],
    ['"\\q\\', 1, 2, false],
    ['[1.]', 1, 3, false],
    ['[1ex', 1, 3, false],
    ['[-]', 1, 2, false],
    ...['-', '1.', '10.', '0.', '-1.', '1e', '1E+', '1.25e', '-0.5e-'].map(
      (part): [string, number, number, boolean] => [`[${part}`, 1, part.length + 2, true],
    ),
    ['{"a": tru', 1, 10, true],
    ['{"a": "\\u00', 1, 12, true],
    ['"\\u00', 1, 6, true],
    ['{\n', 2, 1, true],
    ['', 1, 1, true],
  ])('of %j is line %i, column %i', (text, line, column, truncated) => {
    expect(findJsonFault(text)).toEqual({ line, column, truncated });
  });
});
