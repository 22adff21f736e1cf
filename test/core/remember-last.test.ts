import { rememberLast } from '../../src/core/remember-last';

it('computes anew only for another argument than the last', () => {
  const asked: string[] = [];
  const upper = rememberLast((text) => {
    asked.push(text);
    return text.toUpperCase();
  });
  expect(['a', 'a', 'b', 'b', 'a'].map(upper)).toEqual(['A', 'A', 'B', 'B', 'A']);
  expect(asked).toEqual(['a', 'b', 'a']);
});
