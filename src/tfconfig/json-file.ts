import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { printable } from '../core/printable';
import { withoutKeys } from '../core/resource-address';
import {
  configBlock,
  type ConfigBlock,
  type ConfigFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  type FileReference,
  type Splice,
} from './config';
import { configFault, LineIndex, MOST_NESTED } from './config-source';
import { type FoundReference, type HclGrammar, templateReferences } from './hcl-grammar';

/** Throws an error with a place in the file. */
type Fail = (offset: number, what: string) => never;

const TOO_DEEP = `nested more than ${MOST_NESTED} deep`;

/**
 * Parses the text of a `.tf.json` file.
 * @throws MigrationError `CONFIG_INVALID`
 */
export function parseJsonText(
  path: string,
  text: string,
  grammar: HclGrammar,
): Pick<ConfigFile, 'blocks' | 'references' | 'cuts'> {
  const fail: Fail = (offset, what) => {
    throw configFault(path, text, offset, what);
  };
  const root = parseJson(text, fail);
  const lines = new LineIndex(text);
  const bodies = new Map(
    bodiesIn({ name: '', value: root, place: root }, [], fail).map(({ header, value, place }) => {
      const range = { start: place.offset, end: place.offset + place.length };
      return [configBlock(path, lines, header, range, () => objectOf(value)), value] as const;
    }),
  );
  return {
    blocks: [...bodies.keys()],
    references: (roots) => referencesInBodies(bodies, grammar, roots, fail),
    cuts: (removed) => cutFromJson(root, removed),
  };
}

/** Parses strict JSON with the position of every value. */
function parseJson(text: string, fail: Fail): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (error instanceof RangeError) return fail(0, TOO_DEEP);
    throw error;
  }
  const [first] = errors;
  if (first !== undefined) {
    const code = printParseErrorCode(first.error);
    // `CommaExpected` as `comma expected`
    fail(first.offset, code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());
  }
  if (root === undefined) return fail(0, 'value expected');
  checkParts(root, fail, 0);
  return root;
}

/**
 * Refuses duplicate properties: `JSON.parse`, which proves an edit, reads only one of them, but
 * Terraform reads both. Also refuses nesting that could overflow the call stack.
 */
function checkParts(node: Node, fail: Fail, depth: number): void {
  if (depth > MOST_NESTED) fail(node.offset, TOO_DEEP);
  const names = new Set<string>();
  for (const { name, place, value } of partsOf(node)) {
    if (names.has(name)) fail(place.offset, `another property "${printable(name, 80)}"`);
    if (node.type === 'object' && name !== COMMENT) names.add(name);
    checkParts(value, fail, depth + 1);
  }
}

/** A property of an object, or an item of an array. */
interface Part {
  /** Empty for an item. */
  readonly name: string;
  readonly value: Node;
  /** The value, with its name if it has one. */
  readonly place: Node;
}

function partsOf({ type, children = [] }: Node): Part[] {
  if (type === 'array') return children.map((value) => ({ name: '', value, place: value }));
  return children.flatMap((place) => {
    const [name, value] = place.children ?? [];
    return name && value ? [{ name: String(name.value), value, place }] : [];
  });
}

/** The property that Terraform ignores. */
const COMMENT = '//';

/** The number of labels of each block type; other types have none. */
const labelCounts: ReadonlyMap<string, number> = new Map([
  ...['resource', 'data', 'ephemeral', 'action', 'list'].map((type) => [type, 2] as const),
  ...['module', 'variable', 'output', 'provider', 'check'].map((type) => [type, 1] as const),
]);

/** The body of a block, with the type and labels that lead to it. */
interface Body extends Part {
  readonly header: readonly string[];
}

/**
 * The bodies in a part. At every level an object may be an array of objects; `null` and an empty array declare nothing
 * (1.11.4, measured).
 * @param header type and labels that lead to the part
 */
function bodiesIn(part: Part, header: readonly string[], fail: Fail): Body[] {
  const { value } = part;
  if (value.type === 'array') return partsOf(value).flatMap((item) => bodiesIn(item, header, fail));
  const [type] = header;
  const isBody = type !== undefined && header.length > (labelCounts.get(type) ?? 0);
  if (value.type === 'object') {
    if (isBody) return [{ ...part, header }];
    const named = partsOf(value).filter(({ name }) => type !== undefined || name !== COMMENT);
    return named.flatMap((inner) => bodiesIn(inner, [...header, inner.name], fail));
  }
  if (!isBody) fail(value.offset, 'expected an object');
  if (value.type !== 'null') fail(value.offset, 'expected the body of a block');
  return [];
}

function objectOf(node: Node): ConfigObject {
  return new Map(partsOf(node).map(({ name, value }) => [name, valueOf(value)]));
}

function valueOf(node: Node): ConfigValue {
  if (node.type === 'object') return objectOf(node);
  if (node.type === 'array') return partsOf(node).map(({ value }) => valueOf(value));
  const literal: unknown = node.value;
  if (typeof literal === 'string') return isTemplate(literal) ? new Expression(literal) : literal;
  return typeof literal === 'number' || typeof literal === 'boolean' ? literal : null;
}

/** Every string is a template; one without `${` and `%{` is a literal. */
function isTemplate(text: string): boolean {
  return /[$%]\{/.test(text);
}

/** The references of all blocks, with the block and the local value, if any, that each is in. */
function referencesInBodies(
  bodies: ReadonlyMap<ConfigBlock, Node>,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
  fail: Fail,
): FileReference[] {
  const templates = new Map<string, readonly FoundReference[]>();

  function inTemplate({ text, offset }: Text): FoundReference[] {
    const found = templates.get(text) ?? templateReferences(text, grammar, roots);
    if (found === undefined) return fail(offset, 'syntax error in a template');
    templates.set(text, found);
    return found.map((one) => ({ ...one, offset }));
  }

  return [...bodies].flatMap(([block, body]) =>
    ownersIn(block, body).flatMap(({ owner, value }) =>
      textsIn(value, block.type, 'template').flatMap((one) => {
        const isParsed = one.form !== 'address' && isTemplate(one.text);
        const found = isParsed ? inTemplate(one) : referenceIn(one, roots);
        return found.map((reference) => ({ ...reference, block, owner }));
      }),
    ),
  );
}

/** What references in a body are of: each local value, or the block. */
function ownersIn({ type, address }: ConfigBlock, body: Node) {
  if (type !== 'locals') return [{ owner: address, value: body }];
  return partsOf(body).map(({ name, value }) => ({ owner: `local.${name}`, value }));
}

/** What Terraform reads a string as. A reference may also be written as a template. */
type TextForm = 'template' | 'reference' | 'address';

interface Text {
  readonly text: string;
  readonly offset: number;
  readonly form: TextForm;
}

/** @param form of the innermost argument around the value that has one */
function textsIn(node: Node, type: string, form: TextForm): Text[] {
  const text: unknown = node.value;
  if (typeof text === 'string') return [{ text, offset: node.offset, form }];
  return partsOf(node)
    .filter(({ name }) => name !== COMMENT)
    .flatMap(({ name, value }) => textsIn(value, type, formOf(type, name) ?? form));
}

function formOf(type: string, argument: string): TextForm | undefined {
  if (['depends_on', 'replace_triggered_by'].includes(argument)) return 'reference';
  const isStateBlock = ['import', 'moved', 'removed'].includes(type);
  // a key in an address may contain `$${`
  return isStateBlock && ['from', 'to'].includes(argument) ? 'address' : undefined;
}

/** The reference that a whole string is. */
function referenceIn({ text, offset, form }: Text, roots: ReadonlySet<string>): FoundReference[] {
  const names = form === 'template' ? [] : withoutKeys(text).split('.');
  const isReference = names.length > 1 && roots.has(names[0] ?? '');
  return isReference ? [{ names, text, isDependsOn: true, offset }] : [];
}

/**
 * Cuts the property or item of each block with one comma, and every object and array that becomes empty
 * (Terraform refuses `"resource": {}`: it asks for "at least one object property", 1.11.4). The outermost stays, empty.
 */
function cutFromJson(root: Node, removed: ReadonlySet<ConfigBlock>): readonly Splice[] {
  const starts = new Set([...removed].map(({ range }) => range.start));
  const splices: Splice[] = [];

  /** Collects the cuts in a value; returns whether they remove all of it. */
  function empties(node: Node): boolean {
    const parts = partsOf(node);
    const before = splices.length;
    const gone = parts.map(({ place, value }) => starts.has(place.offset) || empties(value));
    if (parts.length > 0 && gone.every(Boolean)) {
      splices.length = before;
      return true;
    }
    splices.push(...cutRuns(parts, gone));
    return false;
  }

  if (empties(root)) {
    splices.push({ start: root.offset + 1, end: root.offset + root.length - 1, text: '' });
  }
  return splices.sort((one, other) => one.start - other.start);
}

/** Cuts each run up to the next kept part, or back to the last kept part if none follows. */
function cutRuns(parts: readonly Part[], gone: readonly boolean[]): Splice[] {
  const places = parts.map(({ place: { offset, length } }) => ({
    start: offset,
    end: offset + length,
  }));
  return places.flatMap((place, index) => {
    if (gone[index] !== true || gone[index - 1] === true) return [];
    const next = places[gone.indexOf(false, index)];
    const start = next === undefined ? (places[index - 1]?.end ?? place.start) : place.start;
    return [{ start, end: next?.start ?? places.at(-1)?.end ?? place.end, text: '' }];
  });
}
