import { lineChanges } from '../../src/tfconfig/unified-diff';
import { LineIndex } from '../../src/tfconfig/line-index';

type Part = readonly [start: number, end: number, text: string];
const text = 'a\nb\nc\nd\n';

describe('the lines that are changed', () => {
  test.each<[string, string, Part[], [number, number, string[]][]]>([
    ['where a whole line leaves', text, [[2, 4, '']], [[2, 3, []]]],
    ['nowhere, where one is replaced by itself', text, [[2, 4, 'b\n']], [[3, 3, []]]],
    ['where a part of one is replaced', text, [[2, 3, 'x']], [[2, 3, ['x\n']]]],
    [
      'once, where two parts of one are replaced',
      'a b c\nd\n',
      [
        [0, 1, 'x'],
        [4, 5, 'y'],
      ],
      [[1, 2, ['x b y\n']]],
    ],
    [
      'apart, where lines leave that follow each other',
      text,
      [
        [0, 2, ''],
        [2, 4, ''],
      ],
      [
        [1, 2, []],
        [2, 3, []],
      ],
    ],
    ['where lines are added between others', text, [[2, 2, 'x\ny\n']], [[2, 2, ['x\n', 'y\n']]]],
    ['where lines are added behind the last', text, [[8, 8, 'e\n']], [[5, 5, ['e\n']]]],
    ['without the one that begins before them', text, [[1, 5, '']], [[2, 4, []]]],
    ['without those that stay behind them', text, [[0, 6, 'x\nb\nc\n']], [[1, 2, ['x\n']]]],
    [
      'where all but one of several that are alike leave',
      'a\na\na\n',
      [[0, 6, 'a\n']],
      [[2, 4, []]],
    ],
    ['where one is doubled', 'a\na\n', [[0, 4, 'a\na\na\n']], [[3, 3, ['a\n']]]],
    ['where the last has no line end', 'a\nb', [[2, 3, 'c']], [[2, 3, ['c']]]],
    [
      'together, where a part begins in the last line of another',
      text,
      [
        [1, 5, 'x'],
        [5, 7, 'y'],
      ],
      [[1, 5, ['axy\n']]],
    ],
    [
      'together, also where the first of them reaches further',
      'ab\nc\nd\n',
      [
        [0, 1, 'x\ny'],
        [1, 2, 'z'],
        [5, 6, 'e'],
      ],
      [
        [1, 2, ['x\n', 'yz\n']],
        [3, 4, ['e\n']],
      ],
    ],
  ])('%s', (_, from, parts, changes) => {
    const splices = parts.map(([start, end, by]) => ({ start, end, text: by }));
    expect(
      lineChanges(from, new LineIndex(from), splices).map((one) => [one.from, one.to, one.added]),
    ).toEqual(changes);
  });
});
