import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A part of a text. */
export interface Placed {
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
export interface JsonMember extends Placed {
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
export function hasTwins(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.some(hasTwins);
  if (node.kind !== 'object') return false;
  const names = new Set(node.members.map(({ name }) => name));
  return names.size < node.members.length || node.members.some(({ value }) => hasTwins(value));
}
