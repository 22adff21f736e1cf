import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { faultPoints } from '../../src/apply/fault-points';

const apply = join(__dirname, '../../src/apply');
/**
 * What changes a file, a state or the service. A new way to write that is not named here is caught by
 * the other test: it knows every import of the folders.
 */
const writes = new Set([
  'writeFiles',
  'writeStateBackup',
  'applyEdits',
  'append',
  'archiveJournal',
  'statePush',
  'stateRemove',
  'runArgv',
  'rmSync',
  'runTerraform',
  'applySavedPlan',
]);
/** What is called and changes nothing that outlives the tool, or is followed by a point itself. */
const harmless = new Set([
  'readFileSync',
  'readJsonFile',
  'readlinkSync',
  'isRunning',
  'ownProcess',
  'existsSync',
  'accessSync',
  'constants',
  'statSync',
  'statOf',
  'noTemporaryFolder',
  'inspectTarget',
  'statePull',
  'withJudgedPlan',
  'judgeEmptyPlan',
  'judgePlan',
  'plannedAddresses',
  'withLock',
  'withLockTimeout',
  'dataFolder',
  'readTerraformVersion',
  'lockedVersion',
  'readConfiguration',
  'requireConfiguration',
  'requiredVersion',
  'declaredRulesets',
  'placesOf',
  'lstatSync',
  'readdirSync',
  'chmodSync',
  'isTrackedByGit',
  'findStateBackup',
  // deletes only what no run reads
  'deleteParts',
]);
/** The journal, the lock and the folder of the backups themselves. */
const apart = new Set(['journal/journal.ts', 'journal/lock.ts', 'journal/backup-folder.ts']);
/** Functions that write for a step, which has the points. */
const writers = new Set(['runArgv', 'applyEdits']);

interface Call {
  readonly name: string;
  /** The point that a call of `fault` names. */
  readonly point?: string;
  readonly line: number;
}

const files = readdirSync(apply, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('rehearsal/') && !apart.has(file))
  .sort();

function parse(file: string): ts.SourceFile {
  const text = readFileSync(join(apply, file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** The calls of a file in the order in which they are written. */
function callsOf(source: ts.SourceFile): Call[] {
  const calls: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && writers.has(node.name?.text ?? '')) return;
    // arguments are evaluated before the call
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node)) return;
    const { expression, arguments: given } = node;
    const name = ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : ts.isIdentifier(expression)
        ? expression.text
        : '';
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const [first] = given;
    const point = first !== undefined && ts.isStringLiteral(first) ? first.text : undefined;
    calls.push({ name, line, ...(name === 'fault' && point !== undefined && { point }) });
  };
  visit(source);
  return calls;
}

/** Modules of this project that do I/O, and of Node. */
const isEdge = (from: string): boolean =>
  /^(node:)?(fs|child_process)\b|\/(terraform|files|project)\//.test(from);

/** Functions of such modules that a file of the folders imports. */
function importsOf(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (
      !ts.isImportDeclaration(statement) ||
      statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    )
      return [];
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    if (!isEdge(from) || statement.importClause === undefined) return [];
    const { name: whole, namedBindings: bindings } = statement.importClause;
    // what is called by way of the module itself could not be told by its name
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [`all of ${from}`];
    if (whole !== undefined) return [whole.text];
    return bindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ name }) => name.text)
      .filter((name) => /^[a-z]/.test(name));
  });
}

/** Modules that do I/O and are loaded where they are needed: nobody would see what is called of them. */
function loadedLate(source: ts.SourceFile): string[] {
  return [...source.text.matchAll(/\b(?:import|require)\(\s*'([^']+)'/g)]
    .map(([, from = '']) => from)
    .filter((from) => isEdge(from) && !harmless.has(camelCase(from)));
}

/** What a file exports, by its name: as `../read-configuration` exports `readConfiguration`. */
const camelCase = (from: string): string =>
  from.replace(/^.*\//, '').replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase());

const inFolders = new Set(
  files.flatMap((file) => [
    ...[
      ...readFileSync(join(apply, file), 'utf8').matchAll(
        /^export (?:async )?(?:function|const) (\w+)/gm,
      ),
    ].map(([, name = '']) => name),
  ]),
);

test.each(files)('%s: each write is followed by a fault point, before the next one', (file) => {
  const calls = callsOf(parse(file)).filter(({ name }) => name === 'fault' || writes.has(name));
  const bare = calls.filter(({ name }, at) => writes.has(name) && calls[at + 1]?.name !== 'fault');
  expect(bare.map(({ name, line }) => `${name} in line ${line}`)).toEqual([]);
});

test.each(files)('%s: imports nothing that writes and is not known here', (file) => {
  const source = parse(file);
  const unknown = [...importsOf(source), ...loadedLate(source)].filter(
    (name) => !writes.has(name) && !harmless.has(name) && !inFolders.has(name),
  );
  expect(unknown).toEqual([]);
});

test('every fault point of the list is in the code, and every one in the code is in the list', () => {
  const named = files.flatMap((file) => callsOf(parse(file)).flatMap(({ point }) => point ?? []));
  expect([...new Set(named)].sort()).toEqual([...faultPoints].sort());
});

test('a write without a point would be found', () => {
  const source = ts.createSourceFile(
    'x.ts',
    "context.fault('a'); writeFiles([]); journal.append({}); context.fault('b');",
    ts.ScriptTarget.Latest,
    true,
  );
  const names = callsOf(source).map(({ name }) => name);
  expect(names).toEqual(['fault', 'writeFiles', 'append', 'fault']);
});
