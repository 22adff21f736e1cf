// Every sentence of the service's specification has a number in docs/spec-coverage.json. Each must
// have a test whose name carries it, as [S12], or a reason why it does not apply. Fails otherwise,
// and when docs/spec-coverage.md is not what the two say; `--write` renders that page.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/spec-coverage.md');
const TESTS = new Set(['test', 'it', 'describe']);

/** The text of a name: of a literal, and of the literal parts of a template. */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
    .map(({ text }) => text)
    .join('');
}

/** `test`, `it` or `describe`, whatever stands behind it: `.each(…)`, `.only`. */
function calleeOf(node) {
  if (ts.isIdentifier(node)) return { name: node.text, modifiers: [] };
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
    return calleeOf(ts.isCallExpression(node) ? node.expression : node.tag);
  }
  if (!ts.isPropertyAccessExpression(node)) return { name: '', modifiers: [] };
  const { name, modifiers } = calleeOf(node.expression);
  return { name, modifiers: [...modifiers, node.name.text] };
}

const tagsIn = (text) =>
  [...text.matchAll(/\[(S\d+(?:, ?S\d+)*)\]/g)].flatMap(([, list]) => list.split(/, ?/));

/** The numbers that the tests of a file name: in their own names, or in the rows of `each`. */
function tagsOf(path) {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const tags = new Set();
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const { name, modifiers } = calleeOf(node.expression);
      const runs = TESTS.has(name) && !modifiers.some((one) => one === 'skip' || one === 'todo');
      const [first] = node.arguments;
      if (runs && first !== undefined) {
        for (const tag of tagsIn(textOf(first))) tags.add(tag);
        if (modifiers.includes('each')) rowsOf(first).forEach((tag) => tags.add(tag));
      }
    }
    ts.forEachChild(node, visit);
  };
  const rowsOf = (rows) => {
    const found = [];
    const collect = (node) => {
      found.push(...tagsIn(textOf(node)));
      ts.forEachChild(node, collect);
    };
    const list = ts.isIdentifier(rows) ? declarationOf(rows.text) : rows;
    if (list !== undefined) collect(list);
    return found;
  };
  const declarationOf = (name) => {
    let found;
    const search = (node) => {
      if (ts.isVariableDeclaration(node) && node.name.getText() === name) found = node.initializer;
      ts.forEachChild(node, search);
    };
    search(source);
    return found;
  };
  visit(source);
  return tags;
}

const files = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.includes('node_modules'))
  .sort();
const testsOf = new Map();
for (const file of files) {
  for (const tag of tagsOf(file)) {
    testsOf.set(tag, [...(testsOf.get(tag) ?? []), relative(join(root, 'test'), file)]);
  }
}

const sentences = JSON.parse(readFileSync(join(root, 'docs/spec-coverage.json'), 'utf8'));
const problems = [];
sentences.forEach(({ id, doesNotApply }, index) => {
  if (id !== `S${index + 1}`) problems.push(`${id} stands where S${index + 1} belongs`);
  const tested = testsOf.has(id);
  if (!tested && !doesNotApply) problems.push(`${id} has neither a test nor a reason`);
  if (tested && doesNotApply) problems.push(`${id} does not apply, and a test names it`);
});
const known = new Set(sentences.map(({ id }) => id));
for (const [tag, [file]] of testsOf) {
  if (!known.has(tag)) problems.push(`${tag} in ${file} is no number of the specification`);
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('_', '\\_');
const lines = [
  '# The specification, sentence by sentence',
  '',
  'Every statement of the service specification that this project is built from, with a number, in',
  'few words, and the test files whose tests carry the number in their names. `npm run spec` fails',
  'when a number has neither a test nor a reason why it does not apply. Generated from',
  '`spec-coverage.json` and the tests: `npm run spec -- --write`.',
  '',
  `${sentences.length} statements: ${sentences.filter(({ doesNotApply }) => !doesNotApply).length} tested, ${sentences.filter(({ doesNotApply }) => doesNotApply).length} that do not apply.`,
];
let current;
for (const { id, part, says, doesNotApply } of sentences) {
  if (part !== current) {
    lines.push(
      '',
      `## ${part}`,
      '',
      '| number | statement | tests in `test/` |',
      '| --- | --- | --- |',
    );
    current = part;
  }
  const where = doesNotApply
    ? `does not apply: ${cell(doesNotApply)}`
    : (testsOf.get(id) ?? []).map((file) => `\`${file}\``).join(', ');
  lines.push(`| ${id} | ${cell(says)} | ${where} |`);
}
const config = await resolveConfig(page);
const text = await format(`${lines.join('\n')}\n`, { ...config, parser: 'markdown' });
if (process.argv.includes('--write')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  problems.push('docs/spec-coverage.md is not up to date: npm run spec -- --write');
}

for (const problem of problems) console.error(problem);
console.log(`${sentences.length} statements, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
