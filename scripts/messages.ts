// Lists all messages of the program in docs/messages.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { errorCatalogue } from '../src/core/error-catalogue';

/** A user-facing text of the source. */
export interface Message {
  /** Path and line, for an editor: `src/core/json.ts:12`. */
  readonly place: string;
  readonly section: 'Errors' | 'Findings' | 'Help' | 'Other texts';
  /** A code, the command of a help page, or the file. */
  readonly topic: string;
  /** The prefix of the text: the flag of an option, or an arrow before a remedy. */
  readonly label: string;
  readonly text: string;
}

interface Owner {
  readonly section: Message['section'];
  readonly topic: string;
}

const root = join(__dirname, '..');
const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Two words in a row. Other texts are names, keys and syntax. */
const PROSE = /[a-z]{2,}[,:;)]? [(`<]?[a-z0-9-]{2,}/i;
/** Code in other languages. */
const NOT_PROSE =
  /^(?:SELECT|WITH|--|\s*(?:const|import|function) )|[{};]\s*$|=>|```|\bAS \w|https?:\/\/\S+$/m;
/** A line of a shell script that prints nothing. */
const SHELL =
  /^(?:if \[|for \w+ in|case |rm |mv |cp |cut |mkdir |trap |set -|\(umask|complete |COMPREPLY|__fish)(?!.*\b(?:stop|say|printf|resume)\b)/;
/** Files whose texts without a code are not printed: SQL, CSS, names, and responses of Cloudflare. */
const UNPRINTED =
  /^src\/(?:emulator\/|html\/style\.ts|plan\/facts\/provider-versions\.ts|review\/query\/|core\/provider-majors\.ts)/;

/** All messages, in the order of the files. */
export function listMessages(): Message[] {
  const catalogue = 'src/core/error-catalogue.ts';
  const files = globSync('src/**/*.ts', { cwd: root, ignore: catalogue }).toSorted();
  return [...files, catalogue].flatMap((file) => messagesOf(join(root, file)));
}

function messagesOf(path: string): Message[] {
  const file = relative(root, path);
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const found: Message[] = [];
  const seen = new Set<ts.Node>();
  const followed = new Set<ts.Node>();

  const walk = (node: ts.Node, owner: Owner | undefined, label: string): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) add(node, owner, label);
    if (owner !== undefined && ts.isIdentifier(node)) {
      const value = valueOf(node);
      if (value !== undefined && !followed.has(value)) {
        followed.add(value);
        walk(value, owner, labelOf(node.text, label));
      }
    }
    const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
    const own = isNamed ? labelOf(node.name.getText(), label) : label;
    const next = ownerOf(node, file) ?? owner;
    const args =
      ts.isCallExpression(node) || ts.isNewExpression(node) ? [...(node.arguments ?? [])] : [];
    node.forEachChild((child) => {
      const isRemedy = next !== owner && args.length > 3 && args.at(-1) === child;
      walk(child, next, optionOf(node, child) ?? (isRemedy ? '→ ' : own));
    });
  };
  const add = (
    node: ts.StringLiteralLike | ts.TemplateExpression,
    owner: Owner | undefined,
    label: string,
  ): void => {
    if (seen.has(node)) return;
    const pieces = textsOf(node).filter(
      (one) => PROSE.test(one) && !NOT_PROSE.test(one) && !SHELL.test(one),
    );
    if (pieces.length === 0 || isSyntax(node)) return;
    if (owner === undefined && UNPRINTED.test(file)) return;
    seen.add(node);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const { section, topic } = owner ?? { section: 'Other texts', topic: file };
    for (const piece of pieces) {
      found.push({ place: `${file}:${line + 1}`, section, topic, label, text: piece });
    }
  };
  // texts of a code come first, wherever they are in the file
  const owned = (node: ts.Node): void => {
    const owner = ownerOf(node, file);
    if (owner !== undefined && owner.section !== 'Help') walk(node, undefined, '');
    node.forEachChild(owned);
  };
  owned(source);
  walk(source, undefined, '');
  return found;
}

const labelOf = (name: string, label: string): string =>
  /remedy|hint/i.test(name) || name in errorCatalogue ? '→ ' : label;

/** The owner of the texts below a node. */
function ownerOf(node: ts.Node, file: string): Owner | undefined {
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const called = node.expression.getText();
    if (/(?:\.|^)(?:option|description|summary|argument|addHelpText|Option)$/.test(called)) {
      return { section: 'Help', topic: file.replace(/^src\/cli\/|\.ts$/g, '') };
    }
    const code = node.arguments?.find((one) => ts.isStringLiteral(one) && isCode(one.text));
    if (code !== undefined && ts.isStringLiteral(code)) return ownerOfCode(code.text);
  }
  if (flagOf(node) !== undefined)
    return { section: 'Help', topic: file.replace(/^src\/cli\/|\.ts$/g, '') };
  if (ts.isPropertyAssignment(node) && node.name.getText() in errorCatalogue) {
    return ownerOfCode(node.name.getText());
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const valueOfKey = (key: string): ts.Expression | undefined =>
    node.properties.filter(ts.isPropertyAssignment).find(({ name }) => name.getText() === key)
      ?.initializer;
  const code = valueOfKey('code');
  if (code !== undefined && ts.isStringLiteral(code) && isCode(code.text))
    return ownerOfCode(code.text);
  const isCommand = valueOfKey('summary') !== undefined && valueOfKey('load') !== undefined;
  return isCommand ? { section: 'Help', topic: 'commands' } : undefined;
}

/** The flag of an entry of a table of flags: `'--out <file>': 'file to write'`. */
function flagOf(node: ts.Node): string | undefined {
  if (!ts.isPropertyAssignment(node) || !ts.isStringLiteral(node.name)) return undefined;
  return node.name.text.startsWith('--') ? node.name.text : undefined;
}

const isCode = (text: string): boolean => CODE.test(text) || text in errorCatalogue;
const ownerOfCode = (topic: string): Owner => ({
  section: topic in errorCatalogue ? 'Errors' : 'Findings',
  topic,
});

/** The flags of an option, or the name of a command, before its text. */
function optionOf(node: ts.Node, child: ts.Node): string | undefined {
  const flag = flagOf(node);
  if (flag !== undefined) return `\`${flag}\`: `;
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) {
    const isSummary = ts.isPropertyAssignment(child) && child.name.getText() === 'summary';
    if (!isSummary || !ts.isPropertyAssignment(node.parent)) return undefined;
    const word = node.parent.name.getText().replaceAll("'", '');
    return word.startsWith('--') ? undefined : `\`${word}\`: `;
  }
  const [first] = node.arguments ?? [];
  const isOption = first !== undefined && ts.isStringLiteral(first) && first.text.startsWith('--');
  return isOption && child !== first ? `\`${first.text}\`: ` : undefined;
}

/** The value of a name, if it is a text constant of the same file. */
function valueOf(name: ts.Identifier): ts.Expression | undefined {
  const { parent } = name;
  if (
    ts.isPropertyAccessExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === name)
  )
    return undefined;
  for (let scope: ts.Node = name; !ts.isSourceFile(scope); scope = scope.parent) {
    if (!ts.isBlock(scope.parent) && !ts.isSourceFile(scope.parent)) continue;
    for (const statement of scope.parent.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find(
        (one) => one.name.getText() === name.text,
      );
      const value = found?.initializer;
      if (value !== undefined) return ts.isFunctionLike(value) ? undefined : value;
    }
  }
  return undefined;
}

/** Whether the program reads a literal instead of printing it. */
function isSyntax({ parent }: ts.Node): boolean {
  return (
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    (ts.isCallExpression(parent) &&
      /\.(?:includes|startsWith|endsWith|split|command|require)$/.test(
        parent.expression.getText(),
      )) ||
    (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()))
  );
}

/** The text of a literal, with `<name>` for each value; of HTML, the text between the tags. */
function textsOf(node: ts.StringLiteralLike | ts.TemplateExpression): string[] {
  const text = ts.isTemplateExpression(node)
    ? node.head.text +
      node.templateSpans
        .map(({ expression, literal }) => `\u0001${nameOf(expression)}\u0002${literal.text}`)
        .join('')
    : node.text;
  const isHtml =
    ts.isTaggedTemplateExpression(node.parent) && node.parent.tag.getText() === 'markup';
  const pieces = isHtml ? text.split(/<[^>]*>/) : [text];
  return pieces.map((one) =>
    one
      .replaceAll('\u0001', '<')
      .replaceAll('\u0002', '>')
      .replaceAll(/\s*\n\s*/g, ' ⏎ ')
      .trim(),
  );
}

/** A word for a value: the last name in its expression. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isCallExpression(node)) return '…';
  const [first] = node.arguments;
  return first === undefined ? nameOf(node.expression) : nameOf(first);
}

/** The page: one block of texts for each code, help page and file. */
export function renderMessages(messages: readonly Message[]): string {
  const sections = (['Errors', 'Findings', 'Help', 'Other texts'] as const).map((section) => {
    const own = messages.filter((one) => one.section === section);
    const topics = [...new Set(own.map(({ topic }) => topic))].toSorted();
    const blocks = topics.map((topic) => {
      const lines = own.filter((one) => one.topic === topic).map((one) => one.label + one.text);
      return `### \`${topic}\`\n\n\`\`\`text\n${[...new Set(lines)].join('\n')}\n\`\`\``;
    });
    return [`## ${section}`, ...blocks].join('\n\n');
  });
  return `${HEADER}\n\n${sections.join('\n\n')}\n`;
}

const HEADER = `# Messages

Every text that the program can print, as the source has it. \`npm run messages\` generates this page. \`<…>\` is a value, \`⏎\` a new line, and \`→\` comes before a hint or remedy. A line that is not a sentence is a part of a text.`;

if (require.main === module) {
  writeFileSync(join(root, 'docs/messages.md'), renderMessages(listMessages()));
}
