import ts from 'typescript';
import { type FormatName } from '../../src/core/format-names';
import { stackNames } from '../../src/generate/generate-stack';
import { hazards } from './support/arbitrary-text';
import { stackOf, textOf } from './support/generate-files';
import { live } from './support/live-answer';
import { readHcl, readStack, readTerraformJson } from './support/read-back';

type StackFormat = Exclude<FormatName, 'construct'>;

/** Text that ends a literal or a comment in one of the languages. */
const attacks = [
  '*/ process.exit(1) /*',
  '\nprocess.exit(1)',
  '\r\nprocess.exit(1)',
  '\u2028process.exit(1)',
  '\u2029process.exit(1)',
  '\x85process.exit(1)',
  '\\',
  '\\"',
  "'; process.exit(1); '",
  '"; process.exit(1); "',
  '`${process.exit(1)}`',
  '"]); process.exit(1); //',
  '</script><script>',
  '<!-- -->',
  '"\n}\nresource "null_resource" "owned" {\n  x = "',
  '<<EOT\nx\nEOT\n',
  '${file("/etc/passwd")}',
  '$${file("/etc/passwd")}',
  '%{for x in [1]}x%{endfor}',
  '", "owned": "',
  '# sourceMappingURL=data:,x',
  '@ts-nocheck',
  ...hazards,
];
const PLAIN = 'plain';

/** A program without its strings and comments: the kinds of its tokens. */
function typescriptShape(source: string): string[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.ES2022,
    false,
    ts.LanguageVariant.Standard,
    source,
  );
  const kinds: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const isText = kind === ts.SyntaxKind.StringLiteral;
    const isSpace = kind === ts.SyntaxKind.WhitespaceTrivia || kind === ts.SyntaxKind.NewLineTrivia;
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) kinds.push('comment');
    else if (!isSpace) {
      // a comma at the end depends on line breaks
      if (/[)\]}]/.test(scanner.getTokenText()) && !isText && kinds.at(-1) === ',') kinds.pop();
      kinds.push(isText ? 'text' : scanner.getTokenText());
    }
  }
  return kinds;
}

/** HCL without its strings and comments, and without the spaces that align them. */
function hclShape(source: string): string[] {
  return source.split('\n').map((line) =>
    line
      .replace(/^# .*$/, '# comment')
      .replace(/"(?:[^"\\]|\\.)*"/g, 'text')
      .replace(/ +/g, ' '),
  );
}

/** A document without its strings: its keys, where they are not data, and types. */
function jsonShape(source: string): unknown {
  return JSON.parse(source, (_key, value) => (typeof value === 'string' ? 'text' : value));
}

const shapes = {
  cdktf: typescriptShape,
  hcl: hclShape,
  tfjson: jsonShape,
} satisfies Record<StackFormat, (source: string) => unknown>;
const formats: StackFormat[] = ['cdktf', 'hcl', 'tfjson'];

/** Expects that no attack changes more than the text of a stack. */
function expectSameShape(format: StackFormat, generate: (text: string) => string): void {
  const shape = shapes[format];
  const plain = shape(generate(PLAIN));
  for (const attack of attacks) expect(shape(generate(attack))).toEqual(plain);
}

type Answer = ReturnType<typeof live>;
const places: [string, (value: string) => Answer][] = [
  ['a name or description', (name) => ({ ...live({}), name, description: name })],
  [
    'a ref, action or expression',
    (value) => live({ ref: value, action: value, expression: value, description: value }),
  ],
  [
    'an override',
    (category) => {
      const overrides = { categories: [{ category, action: category }] };
      return live({ action: 'execute', action_parameters: { id: category, overrides } });
    },
  ],
  [
    'an item of a list',
    (item) => live({ action: 'skip', action_parameters: { products: [item, item, item, item] } }),
  ],
  [
    'an expression for credentials',
    (value) =>
      live({
        exposed_credential_check: { username_expression: value, password_expression: value },
      }),
  ],
  ['another field', (value) => live({ action_parameters: { values: [value], operation: value } })],
];

describe.each(formats)('in %s, no string of the API ends', (format) => {
  it.each(places)('%s', (_, answer) => {
    expectSameShape(format, (value) => textOf(answer(value), { format }));
  });

  it('the head comment, as the name of a zone', () => {
    expectSameShape(format, (zone) =>
      textOf(live({}), { format, zone: `${zone}!` }).replaceAll(
        stackNames({ id: '', name: `${zone}!` }).className,
        'Stack',
      ),
    );
  });

  it('a key of a map', async () => {
    const read = { cdktf: readStack, hcl: readHcl, tfjson: readTerraformJson }[format];
    for (const key of attacks.filter((one) => one !== '__proto__')) {
      const answer = live({ action: 'skip', action_parameters: { rules: { [key]: ['a'] } } });
      const { rules } = await read(textOf(answer, { format }));
      expect(rules[0].action_parameters.rules).toEqual({ [key]: ['a'] });
    }
  });
});

describe('as the name of a zone, no string of the API', () => {
  it.each(formats)('ends a file name, in %s', (format) => {
    for (const zone of attacks) {
      const { resourceFile } = stackOf(live({}), { format, zone });
      expect(resourceFile.path).toMatch(/^[a-z0-9][a-z0-9_-]*\.(?:ts|tf|tf\.json)$/);
    }
  });

  it('ends the name of a class, or is a directive of a comment', () => {
    for (const zone of attacks) {
      const text = textOf(live({}), { format: 'cdktf', zone });
      expect(text).toMatch(
        /^export class [A-Z_][A-Za-z0-9_$]*WafStack extends TerraformStack \{$/m,
      );
      expect(text.match(/^\/\/.*$/gm)?.slice(0, 3)).toEqual([
        expect.stringMatching(/^\/\/ WAF managed rules of zone /),
        expect.stringMatching(/^\/\/ Origin: the live entry point /),
        expect.stringMatching(/^\/\/ terraform import cloudflare_ruleset\.managed_rules zones\//),
      ]);
    }
  });
});
