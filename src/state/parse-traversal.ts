import { unquoteHclAt } from '../model/unquote-hcl';
import { type InstanceKey } from './state';

/** One dotted part of an address: a name, and the key in brackets behind it. */
export interface TraversalPart {
  readonly name: string;
  readonly key: InstanceKey;
}

// HCL's identifiers: Unicode's, with the underscore at the start and the hyphen inside.
const identifier = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const index = /\[(0|[1-9][0-9]{0,15})\]/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function parseKey(text: string, at: number): { key: InstanceKey; end: number } | undefined {
  if (text[at] !== '[') return { key: undefined, end: at };
  const number = matchAt(index, text, at);
  if (number !== null) {
    const key = Number(number[1]);
    return Number.isSafeInteger(key) ? { key, end: at + number[0].length } : undefined;
  }
  const quoted = text[at + 1] === '"' ? unquoteHclAt(text, at + 1) : undefined;
  return quoted !== undefined && text[quoted.end] === ']'
    ? { key: quoted.value, end: quoted.end + 1 }
    : undefined;
}

/** The parts of `a.b["c"].d`, or undefined when the text is nothing of the kind. */
export function parseTraversal(text: string): readonly TraversalPart[] | undefined {
  const parts: TraversalPart[] = [];
  let at = 0;
  for (;;) {
    const name = matchAt(identifier, text, at)?.[0];
    if (name === undefined) return undefined;
    const rest = parseKey(text, at + name.length);
    if (rest === undefined) return undefined;
    parts.push({ name, key: rest.key });
    if (rest.end === text.length) return parts;
    if (text[rest.end] !== '.') return undefined;
    at = rest.end + 1;
  }
}
