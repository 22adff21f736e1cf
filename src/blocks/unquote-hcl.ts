const named: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
};

/** A piece of a quoted string that holds no template: plain text, a doubled sign, an escape. */
const piece =
  /[^"\\$%\n\r]+|([$%])\1(?=\{)|[$%](?!\{)|\\([nrt"\\])|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

/**
 * The value of a quoted string of HCL, quotes included in what is given; undefined when it holds a
 * template, or is none.
 */
export function unquoteHcl(literal: string): string | undefined {
  const end = literal.length - 1;
  if (end < 1 || !literal.startsWith('"') || !literal.endsWith('"')) return undefined;
  let value = '';
  for (let at = 1; at < end; at = piece.lastIndex) {
    piece.lastIndex = at;
    const match = piece.exec(literal);
    if (match === null) return undefined;
    const [all, doubled, escape, short, long] = match;
    const hex = short ?? long;
    const codePoint = hex === undefined ? undefined : parseInt(hex, 16);
    if (codePoint !== undefined && codePoint > 0x10ffff) return undefined;
    value +=
      codePoint === undefined
        ? (doubled ?? (escape === undefined ? all : (named[escape] ?? '')))
        : String.fromCodePoint(codePoint);
  }
  return value;
}
