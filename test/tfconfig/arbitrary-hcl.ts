import fc from 'fast-check';

/** A piece of a generated file: a block with its comments, or comments by themselves. */
export interface Piece {
  /** Whole lines with `\n`, the comment right above and the line ends included. */
  readonly text: string;
  /** The block in it, as a removal would be asked for; undefined for comments by themselves. */
  readonly address?: string;
  readonly old: boolean;
  /** What stays of an old block: its comments, where they stand at the top of the file. */
  readonly header?: string;
}

export interface GeneratedFile {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly lineEnd: '\n' | '\r\n';
  readonly bom: boolean;
  readonly finalNewline: boolean;
}

const word = fc
  .stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/)
  .filter((text) => !/^(?:for|in|if|else|endif|endfor|true|false|null)$/.test(text));
/** Text for strings and comments: quotes, braces and templates of all kinds, some of it escaped. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['}', '{', '"', '\\', '#', '//', '/*', '*/', '<<EOT', '$', '%', '`', "'"],
        ...['☃', '😀', '<b>'],
        ...['\u202e', '\u00a0', 'e\u0301', '&&', ';', 'EOT', '2e10', ' '],
      ),
      word,
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
/** Two signs before a brace: the grammar misreads more. */
const escapeTemplate = (text: string): string =>
  text.replace(/\$+(?=\{)|%+(?=\{)/g, (signs) => `${signs[0]}${signs[0]}`);
const quoted = nasty.map(
  (text) => `"${escapeTemplate(text.replace(/[\\"]/g, (sign) => `\\${sign}`))}"`,
);
/** The inside of a comment of several lines. */
const inside = nasty.map((text) => text.replaceAll('*', ''));

const expression: fc.Arbitrary<string> = fc.letrec<{ all: string; deep: string }>((tie) => ({
  deep: fc.oneof(
    fc.array(tie('all'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(word, tie('all')).map(([key, value]) => `{ "${key}" = ${value} }`),
    tie('all').map((inner) => `"a\${${inner}}b"`),
    fc.tuple(word, tie('all')).map(([name, inner]) => `[for ${name} in [1] : ${inner}]`),
    tie('all').map((inner) => `(\n    ${inner}\n  )`),
  ),
  all: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    quoted,
    fc.constantFrom('var.zone_id', 'null', 'true', '-1', '1.5e3', 'cloudflare_waf_rule.x[0].id'),
    fc.constantFrom('"%{ if true }a%{ else }}%{ endif }"', '"$${x} %%{y}"', 'x.*.y', '[]', '{}'),
    tie('deep'),
  ),
})).all;

const heredoc = fc
  .tuple(fc.boolean(), fc.array(nasty, { maxLength: 3 }))
  .map(([indented, lines]) => {
    const body = lines.map((line) => `${escapeTemplate(line)}.`);
    const fake = ['resource "cloudflare_waf_rule" "fake" {', ...body, '}'];
    const mark = 'END_OF_IT';
    return indented
      ? `<<-${mark}\n${fake.map((line) => `    ${line}`).join('\n')}\n  ${mark}`
      : `<<${mark}\n${fake.join('\n')}\n${mark}`;
  });

const attribute = fc.oneof(
  fc.tuple(word, expression).map(([name, value]) => `  ${name} = ${value}\n`),
  fc.tuple(word, expression, nasty).map(([name, value, c]) => `  ${name} = ${value} # ${c}\n`),
  fc.tuple(word, heredoc).map(([name, value]) => `  ${name} = ${value}\n`),
  nasty.map((text) => `  // ${text}\n`),
  inside.map((text) => `  /* ${text}\n ${text} */\n`),
  fc.constant('\n'),
);
/** The names of one body differ, or HCL refuses it. */
function braced(lines: readonly string[]): string {
  const distinct = lines.map((line, index) =>
    line.replace(/^ {2}([a-z_][a-z0-9_-]*) (=|\{)/, `  n${index}_$1 $2`),
  );
  return `{\n${distinct.join('')}}`;
}

const nested = fc
  .tuple(word, fc.array(attribute, { maxLength: 2 }))
  .map(([name, lines]) => `  ${name} ${braced(lines)}\n`);

const body = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.oneof(attribute, nested), { maxLength: 4 }).map(braced) },
  { weight: 1, arbitrary: fc.constant('{}') },
  { weight: 1, arbitrary: quoted.map((value) => `{ mode = ${value} }`) },
);

const header = fc.constantFrom(
  ...['rule', 'group', 'override', 'package'].map((type) => ({
    ...{ old: true, kind: 'resource', type: `cloudflare_waf_${type}` },
  })),
  { old: true, kind: 'data', type: 'cloudflare_waf_rules' },
  ...['cloudflare_record', 'cloudflare_ruleset', 'terraform_data'].map((type) => ({
    ...{ old: false, kind: 'resource', type },
  })),
  ...['locals', 'import', 'terraform'].map((kind) => ({ old: false, kind, type: '' })),
);

const leading = fc.array(
  fc.oneof(
    nasty.map((text) => `# ${text}\n`),
    nasty.map((text) => `// ${text}\n`),
    inside.map((text) => `/* ${text}\n   ${text} */\n`),
  ),
  { maxLength: 2 },
);
const trailing = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', ' ', '\t') },
  { weight: 1, arbitrary: nasty.map((text) => ` # ${text}`) },
  { weight: 1, arbitrary: inside.map((text) => ` /* ${text} */`) },
);

interface Draft {
  readonly head: { old: boolean; kind: string; type: string };
  readonly comments: readonly string[];
  readonly body: string;
  readonly behind: string;
  readonly inline: string;
}
const draft: fc.Arbitrary<Draft> = fc.record({
  head: header,
  comments: leading,
  body,
  behind: trailing,
  inline: fc.constantFrom('', '', '', '/* on its line */ ', '  '),
});

function pieceOf({ head, comments, body: braces, behind, inline }: Draft, index: number): Piece {
  const labels = head.type === '' ? '' : ` "${head.type}" "n${index}"`;
  const address =
    head.type === '' ? head.kind : `${head.kind === 'data' ? 'data.' : ''}${head.type}.n${index}`;
  const text = `${comments.join('')}${inline}${head.kind}${labels} ${braces}${behind}\n`;
  return { text, address, old: head.old };
}

const orphan = leading
  .filter((lines) => lines.length > 0)
  .map((lines): Piece => ({ text: lines.join(''), old: false }));

/** Blank lines between two pieces; at least one around comments that belong to no block. */
const gap = fc.constantFrom('', '', '\n', '\n', '\n\n', '  \n\n');

/** Files as people write them, and worse; what was put in is known. */
export const generatedFile: fc.Arbitrary<GeneratedFile> = fc
  .record({
    pieces: fc.array(fc.oneof({ weight: 5, arbitrary: draft }, { weight: 1, arbitrary: orphan }), {
      maxLength: 7,
    }),
    gaps: fc.array(gap, { minLength: 9, maxLength: 9 }),
    lineEnd: fc.constantFrom('\n' as const, '\n' as const, '\r\n' as const),
    bom: fc.boolean(),
    finalNewline: fc.boolean(),
    licence: fc.constantFrom('', '# a licence\n', '# a licence\n\n', '\n# a licence\n\n'),
  })
  .map(({ pieces: drafts, gaps, lineEnd, bom, finalNewline, licence }) => {
    const pieces: Piece[] = licence === '' ? [] : [{ text: '# a licence\n', old: false }];
    let text: string = licence;
    drafts.forEach((one, index) => {
      const piece = 'head' in one ? pieceOf(one, index) : one;
      const isOrphan = piece.address === undefined;
      const before = isOrphan && text !== '' && !text.endsWith('\n\n') ? '\n' : (gaps[index] ?? '');
      text += before;
      const isTop = /^\s*(?:# a licence\n)?$/.test(text) && pieces.every(({ address }) => !address);
      text += piece.text + (isOrphan ? '\n' : '');
      const header = isTop && 'head' in one ? one.comments.join('') : '';
      pieces.push(header === '' ? piece : { ...piece, header });
    });
    text += gaps[8] ?? '';
    if (!finalNewline) text = text.replace(/[ \t\n]+$/, '');
    const ended = text.replaceAll('\n', lineEnd);
    return { text: (bom ? '\ufeff' : '') + ended, pieces, lineEnd, bom, finalNewline };
  });
