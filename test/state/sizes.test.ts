import { findJsonFault } from '../../src/state/json-fault';

it('the place where a text stops being JSON is found behind a long string and deep brackets', () => {
  const text = `${'['.repeat(200_000)}"${'x'.repeat(20_000_000)}"x`;
  expect(findJsonFault(text)).toEqual({ line: 1, column: text.length, truncated: false });
});
