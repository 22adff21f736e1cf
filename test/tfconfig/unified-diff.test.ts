import { renderDiff } from '../../src/tfconfig/unified-diff';

const text = Array.from({ length: 30 }, (_, index) => `${String.fromCharCode(97 + index)}\n`).join(
  '',
);
/** Takes the place of one line, which begins at twice its number. */
const instead = (line: number, by: string) => ({ start: 2 * line, end: 2 * line + 2, text: by });
const headsOf = (diff: string) => diff.match(/^@@.*@@$/gm);

describe('a diff', () => {
  test.each([
    ['nothing is changed', []],
    ['a line is replaced by itself', [instead(2, 'c\n')]],
    ['nothing is added', [{ start: 4, end: 4, text: '' }]],
  ])('is empty where %s', (_, splices) => {
    expect(renderDiff('f.tf', text, splices)).toBe('');
  });

  test('leaves out the changes that are none', () => {
    const diff = renderDiff('f.tf', text, [instead(2, 'c\n'), instead(20, '')]);
    expect(headsOf(diff)).toEqual(['@@ -18,7 +18,6 @@']);
  });

  test('shows three lines on both sides, and not the rest', () => {
    expect(renderDiff('f.tf', text, [instead(10, 'x\n')])).toBe(
      '--- a/f.tf\n+++ b/f.tf\n@@ -8,7 +8,7 @@\n h\n i\n j\n-k\n+x\n l\n m\n n\n',
    );
  });

  test.each([
    ['six lines apart, together', 12, ['@@ -3,14 +3,12 @@']],
    ['seven lines apart, each alone', 13, ['@@ -3,7 +3,6 @@', '@@ -11,7 +10,6 @@']],
  ])('shows two changes that are %s', (_, second, heads) => {
    expect(headsOf(renderDiff('f.tf', text, [instead(5, ''), instead(second, '')]))).toEqual(heads);
  });

  test('counts on where lines were added before', () => {
    const diff = renderDiff('f.tf', text, [instead(5, 'x\ny\nz\n'), instead(20, '')]);
    expect(headsOf(diff)).toEqual(['@@ -3,7 +3,9 @@', '@@ -18,7 +20,6 @@']);
  });
});
