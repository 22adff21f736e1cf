import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  blockAddress,
  type ConfigBlock,
  type ConfigFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  type FileReference,
  type Splice,
} from './config';
import { configFault, isOverrideFile, LineIndex, sha256 } from './config-source';
import { type HclGrammar } from './hcl-grammar';
import { type Names, namesInTemplate, quotedNames } from './hcl-references';

/**
 * Parses a `.tf.json` file.
 * @throws MigrationError `CONFIG_INVALID`
 */
export function parseJsonFile(path: string, text: string, grammar: HclGrammar): ConfigFile {
  const root = parseJsonTree(text, (offset, what) => {
    throw configFault(path, text, offset, what);
  });
  const bodies = readBlocks(path, text, root);
  return {
    path,
    syntax: 'json',
    override: isOverrideFile(path),
    sha256: sha256(text),
    text,
    blocks: [...bodies.keys()],
    references: (roots) => findJsonReferences(path, text, bodies, grammar, roots),
    cuts: (removed) => cutFromJson(root, removed),
    unprovable: () =>
      hasTwins(root) ? 'it has two properties with one name in an object' : undefined,
    withText: (other) => parseJsonFile(path, other, grammar),
  };
}

/** How many labels the blocks of a type have; those not named here have none. */
const labelCounts: ReadonlyMap<string, number> = new Map([
  ['resource', 2],
  ['data', 2],
  ['ephemeral', 2],
  ['action', 2],
  ['list', 2],
  ['module', 1],
  ['variable', 1],
  ['output', 1],
  ['provider', 1],
  ['check', 1],
]);

/**
 * The blocks of a `.tf.json` file with their bodies, in its order. At every level an object may be an array of
 * objects; `null` and an empty array declare nothing (1.11.4, measured).
 */
function readBlocks(path: string, text: string, root: JsonNode): Map<ConfigBlock, JsonNode> {
  const lines = new LineIndex(text);
  const bodies = new Map<ConfigBlock, JsonNode>();

  /** Calls back for every member of an object, or of the objects of an array. */
  function eachMember(node: JsonNode, visit: (member: JsonMember) => void): void {
    if (node.kind === 'object') node.members.forEach(visit);
    else if (node.kind === 'array') {
      for (const item of node.items) eachMember(item, visit);
    } else throw configFault(path, text, node.start, 'expected an object');
  }

  function descend(
    node: JsonNode,
    { start, end }: Placed,
    type: string,
    labels: readonly string[],
  ): void {
    if (labels.length < (labelCounts.get(type) ?? 0)) {
      eachMember(node, (member) => {
        descend(member.value, member, type, [...labels, member.name]);
      });
    } else if (node.kind === 'array') {
      for (const item of node.items) descend(item, item, type, labels);
    } else if (node.kind === 'object') {
      const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
      let body: ConfigObject | undefined;
      const block = {
        ...{ file: path, type, labels, address: blockAddress(type, labels), range },
        get body() {
          return (body ??= objectOf(node.members));
        },
      };
      bodies.set(block, node);
    } else if (node.kind === 'string' || node.value !== null) {
      throw configFault(path, text, node.start, 'expected the body of a block');
    }
  }

  eachMember(root, (member) => {
    if (member.name !== '//') descend(member.value, member, member.name, []);
  });
  return bodies;
}

function objectOf(members: readonly JsonMember[]): ConfigObject {
  return new Map(members.map(({ name, value }) => [name, valueOf(value)]));
}

/** Every string is a template; one without `${` and `%{` is a literal. */
function valueOf(node: JsonNode): ConfigValue {
  if (node.kind === 'object') return objectOf(node.members);
  if (node.kind === 'array') return node.items.map(valueOf);
  if (node.kind === 'scalar') return node.value;
  return isTemplate(node.value) ? new Expression(node.value) : node.value;
}

function isTemplate(text: string): boolean {
  return /[$%]\{/.test(text);
}

/** Arguments that hold bare references where others hold templates. */
const referring = new Set(['depends_on', 'provider', 'providers', 'replace_triggered_by']);
const stateBlocks = new Set(['import', 'moved', 'removed']);

function findJsonReferences(
  path: string,
  text: string,
  bodies: ReadonlyMap<ConfigBlock, JsonNode>,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): FileReference[] {
  const templates = new Map<string, readonly Pick<Names, 'names' | 'text' | 'orders'>[]>();

  function namesIn(template: string, offset: number) {
    const names = templates.get(template) ?? namesInTemplate(template, grammar, roots);
    if (names === undefined) throw configFault(path, text, offset, 'syntax error in a template');
    templates.set(template, names);
    return names;
  }

  function visit(
    node: JsonNode,
    refers: boolean,
    block: ConfigBlock,
    owner: string,
  ): FileReference[] {
    if (node.kind === 'scalar') return [];
    if (node.kind === 'array') return node.items.flatMap((one) => visit(one, refers, block, owner));
    if (node.kind === 'object') {
      return node.members.flatMap(({ name, value }) =>
        name === '//' ? [] : visit(value, refers || isReferring(name, block), block, owner),
      );
    }
    const { value, start } = node;
    const quoted = refers ? [{ names: quotedNames(value), text: value, orders: true }] : [];
    // an address may hold a key with `$${` in it, and is no template
    const found =
      isTemplate(value) && !(refers && stateBlocks.has(block.type))
        ? namesIn(value, start)
        : quoted;
    return found
      .filter(({ names }) => names.length > 1 && roots.has(names[0] ?? ''))
      .map(({ names, text: written, orders }) => ({
        ...{ block, owner, names, text: written, orders, offset: start },
      }));
  }

  return [...bodies].flatMap(([block, body]) => {
    if (block.type !== 'locals' || body.kind !== 'object') {
      return visit(body, false, block, block.address);
    }
    return body.members.flatMap(({ name, value }) =>
      name === '//' ? [] : visit(value, false, block, `local.${name}`),
    );
  });
}

function isReferring(name: string, { type }: ConfigBlock): boolean {
  return referring.has(name) || (stateBlocks.has(type) && (name === 'from' || name === 'to'));
}

/**
 * The property or the item of each block with one comma, and every object and array that nothing is left in
 * (Terraform refuses `"resource": {}`: it asks for "at least one object property", 1.11.4). The outermost is kept,
 * empty.
 */
function cutFromJson(root: JsonNode, removed: ReadonlySet<ConfigBlock>): readonly Splice[] {
  const places = new Set([...removed].map(({ range }) => placeOf(range)));
  const splices: Splice[] = [];

  /** Collects what is cut from a value; says whether that is all of it. */
  function empties(node: JsonNode): boolean {
    const children = childrenOf(node);
    const before = splices.length;
    const gone = children.map(({ place, value }) => places.has(placeOf(place)) || empties(value));
    if (children.length > 0 && gone.every(Boolean)) {
      splices.length = before;
      return true;
    }
    splices.push(
      ...cutRuns(
        children.map(({ place }) => place),
        gone,
      ),
    );
    return false;
  }

  if (empties(root)) splices.push({ start: root.start + 1, end: root.end - 1, text: '' });
  return splices.sort((one, other) => one.start - other.start);
}

function placeOf({ start, end }: Placed): string {
  return `${start}-${end}`;
}

/** The members of an object, or the items of an array. */
function childrenOf(node: JsonNode): { place: Placed; value: JsonNode }[] {
  if (node.kind === 'object') return node.members.map((one) => ({ place: one, value: one.value }));
  return node.kind === 'array' ? node.items.map((one) => ({ place: one, value: one })) : [];
}

/** Up to the next that is kept, so that it takes the place of the first that is cut; else back to the last. */
function cutRuns(children: readonly Placed[], gone: readonly boolean[]): Splice[] {
  return children.flatMap((child, index) => {
    if (gone[index] !== true || gone[index - 1] === true) return [];
    const next = children[gone.indexOf(false, index)];
    const start = next === undefined ? (children[index - 1]?.end ?? child.start) : child.start;
    return [{ start, end: next?.start ?? children.at(-1)?.end ?? child.end, text: '' }];
  });
}

/** A part of a text. */
interface Placed {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

/** A value of a JSON text and where it is; of two members with one name both are kept, as Terraform reads both. */
export type JsonNode = Placed &
  (
    | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'scalar'; readonly value: number | boolean | null }
  );

/** A property; it begins where its name does. */
interface JsonMember extends Placed {
  readonly name: string;
  readonly value: JsonNode;
}

/** Deeper than any configuration, and far from the end of the call stack. */
const DEEPEST = 256;

/**
 * Reads strict JSON with the place of every value: `JSON.parse` keeps none, and drops all but the
 * last of two properties with one name, which Terraform both reads (1.11.4, measured).
 * @param fail reports a place that is not JSON; does not return
 */
export function parseJsonTree(
  text: string,
  fail: (offset: number, what: string) => never,
): JsonNode {
  const errors: ParseError[] = [];
  let root: JsonNode | undefined;
  try {
    const tree = parseTree(text, errors, { disallowComments: true });
    root = tree && errors.length === 0 ? toNode(tree, 0) : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(0, 'nested too deeply');
  }
  const [first] = errors;
  const what = first === undefined ? 'value expected' : wordsOf(printParseErrorCode(first.error));
  return root ?? fail(first?.offset ?? 0, what);
}

/** `CommaExpected` as `comma expected`. */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** @throws RangeError where it is nested too deeply, as the parser does */
function toNode(
  { type, offset: start, length, value, children = [] }: Node,
  depth: number,
): JsonNode {
  if (depth > DEEPEST) throw new RangeError('nested too deeply');
  const end = start + length;
  if (type === 'object') {
    const members = children.flatMap((one) => toMember(one, depth));
    return { kind: 'object', start, end, members };
  }
  if (type === 'array') {
    return { kind: 'array', start, end, items: children.map((one) => toNode(one, depth + 1)) };
  }
  const literal: unknown = value;
  if (typeof literal === 'string') return { kind: 'string', start, end, value: literal };
  const isScalar = typeof literal === 'number' || typeof literal === 'boolean';
  return { kind: 'scalar', start, end, value: isScalar ? literal : null };
}

function toMember({ offset: start, length, children = [] }: Node, depth: number): JsonMember[] {
  const [name, value] = children;
  if (name === undefined || value === undefined) return [];
  const end = start + length;
  return [{ name: String(name.value), value: toNode(value, depth + 1), start, end }];
}

/** Whether an object has two properties with one name: Terraform reads both, `JSON.parse` one. */
function hasTwins(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.some(hasTwins);
  if (node.kind !== 'object') return false;
  const names = new Set(node.members.map(({ name }) => name));
  return names.size < node.members.length || node.members.some(({ value }) => hasTwins(value));
}
