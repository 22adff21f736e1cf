import ts from 'typescript';
import { type FormatName } from '../../src/core/format-names';
import { stackNames } from '../../src/generate/generate-stack';
import { hazards } from './support/arbitrary-text';
import { type Options, stackOf, textOf } from './support/generate-files';
import { live } from './support/live-answer';
import { readHcl, readStack, readTerraformJson } from './support/read-back';

/** The forms of a stack of its own. */
type StackFormat = Exclude<FormatName, 'construct'>;

/** What would end the place that it stands in, in one language or another. */
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
      // a comma at the end tells only that the line was broken
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

describe.each(formats)('in %s, no string of the API ends', (format) => {
  const text = (answer: unknown, options: Options = {}) => textOf(answer, { format, ...options });

  it('the head comment, as the name of a zone', () => {
    expectSameShape(format, (zone) =>
      text(live({}), { zone: `${zone}!` }).replaceAll(
        stackNames({ id: '', name: `${zone}!` }).className,
        'Stack',
      ),
    );
  });

  it('the literal of a name or description', () => {
    expectSameShape(format, (name) => text({ ...live({}), name, description: name }));
  });

  it('the literal of a ref, action or expression', () => {
    expectSameShape(format, (value) =>
      text(live({ ref: value, action: value, expression: value, description: value })),
    );
  });

  it('the literal of an override', () => {
    expectSameShape(format, (category) => {
      const overrides = { categories: [{ category, action: category }] };
      return text(live({ action: 'execute', action_parameters: { id: category, overrides } }));
    });
  });

  it('an item of a list', () => {
    expectSameShape(format, (item) =>
      text(live({ action: 'skip', action_parameters: { products: [item, item, item, item] } })),
    );
  });

  it('a literal of an expression that is checked for credentials', () => {
    expectSameShape(format, (value) => {
      const check = { username_expression: value, password_expression: value };
      return text(live({ exposed_credential_check: check }));
    });
  });

  it('a field that is set past the bindings', () => {
    expectSameShape(format, (value) =>
      text(live({ action_parameters: { values: [value], operation: value } })),
    );
  });
});

describe('as the key of a map, no string of the API', () => {
  const answer = (key: string) =>
    live({ action: 'skip', action_parameters: { rules: { [key]: ['a'] } } });
  const keys = attacks.filter((key) => key !== '__proto__');

  it.each([
    ['cdktf', readStack],
    ['hcl', readHcl],
    ['tfjson', readTerraformJson],
  ] as const)('ends a key of %s', async (format, read) => {
    for (const key of keys) {
      const resource = await read(textOf(answer(key), { format }));
      expect(resource['rules'][0].action_parameters.rules).toEqual({ [key]: ['a'] });
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

  it('ends the name of a class', () => {
    for (const zone of attacks) {
      const text = textOf(live({}), { format: 'cdktf', zone });
      expect(text).toMatch(
        /^export class [A-Z_][A-Za-z0-9_$]*WafStack extends TerraformStack \{$/m,
      );
    }
  });

  it('is a directive to a tool: comments begin with our words', () => {
    for (const zone of attacks) {
      const comments = textOf(live({}), { format: 'cdktf', zone }).match(/^\/\/.*$/gm) ?? [];
      expect(comments.slice(0, 3)).toEqual([
        expect.stringMatching(/^\/\/ WAF managed rules of zone /),
        expect.stringMatching(/^\/\/ Origin: the live entry point /),
        expect.stringMatching(/^\/\/ terraform import cloudflare_ruleset\.managed_rules zones\//),
      ]);
    }
  });
});
