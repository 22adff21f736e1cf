import { requireJson } from '../../src/ruleset/parse-ruleset';

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let document: unknown = 1;
  for (let at = 0; at < depth; at += 1) document = wrap(document);
  return document;
};
const asked = (document: unknown) => () => {
  requireJson(document);
};

describe('a document that is 64 deep', () => {
  it.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ inner })],
  ])('is taken, and no deeper one, of %s', (_, wrap) => {
    expect(asked(nested(64, wrap))).not.toThrow();
    expect(asked(nested(65, wrap))).toThrow('the document is nested more than 64 deep');
  });
});
