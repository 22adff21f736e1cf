import fc from 'fast-check';

const characters = '{ } [ ] " , : \\ - + . 0 e E t n u é \n \t \0 \u001f'.split(' ');

/** The text of a document with one byte taken out, put in or changed, or with its end cut off. */
export function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .record({
      text,
      seed: fc.nat(),
      how: fc.constantFrom('delete', 'insert', 'replace', 'cut'),
      character: fc.constantFrom(' ', ...characters),
    })
    .map(({ text: whole, seed, how, character }) => {
      const at = seed % (whole.length + 1);
      const before = whole.slice(0, at) + (how === 'insert' || how === 'replace' ? character : '');
      const after = how === 'cut' ? '' : whole.slice(how === 'insert' ? at : at + 1);
      // What UTF-8 cannot hold, a lone surrogate, is no part of a file.
      return Buffer.from(before + after).toString();
    });
}

/** What `JSON.parse` makes of it; undefined when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
