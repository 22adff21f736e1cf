import { BlockList, isIP } from 'node:net';
import { type Expression, ExpressionError, type Operand, parseExpression } from './parse';

/** The value of a field; a list if the field has the index `[*]`. */
export type Value = string | number | boolean | readonly string[] | undefined;

/** Returns the value of a field of one request, or `undefined` for an unknown field. */
export type Fields = (name: string, index: string | undefined) => Value;

/**
 * Whether an expression matches a request. Supports the part of the language that the scenarios
 * use. A comparison with an unknown field or function does not match.
 */
function evaluate(expression: Expression, fields: Fields): boolean {
  switch (expression.kind) {
    case 'not':
      return !evaluate(expression.of, fields);
    case 'and':
      return chained(expression).every((one) => evaluate(one, fields));
    case 'or':
      return chained(expression).some((one) => evaluate(one, fields));
    case 'xor':
      return chained(expression).filter((one) => evaluate(one, fields)).length % 2 === 1;
    case 'is':
      return valueOf(expression.operand, fields) === true;
    case 'compare':
      return compare(expression, fields);
  }
}

/** The operands of a chain of one connective. A long chain would overflow a recursive walk. */
function chained(chain: Extract<Expression, { left: Expression }>): readonly Expression[] {
  const joined: Expression[] = [];
  let rest: Expression = chain;
  while (rest.kind === chain.kind) {
    joined.push(rest.right);
    rest = rest.left;
  }
  return [rest, ...joined.reverse()];
}

type Comparison = Extract<Expression, { kind: 'compare' }>;

/** If the left side has several values, one match is enough. */
function compare({ operator, left, right }: Comparison, fields: Fields): boolean {
  const found = valueOf(left, fields);
  const values = Array.isArray(found) ? found : [found];
  const wanted = right.map((operand) => valueOf(operand, fields));
  return values.some((value: Value) =>
    operator === 'in' ? isIn(value, wanted) : satisfies(operator, value, wanted[0]),
  );
}

function satisfies(operator: string, value: Value, wanted: Value): boolean {
  if (value === undefined) return operator === 'ne';
  const [text, pattern] = [String(value), String(wanted)];
  switch (operator) {
    case 'eq':
      return text === pattern;
    case 'ne':
      return text !== pattern;
    case 'contains':
      return text.includes(pattern);
    case 'matches':
      return matches(text, pattern);
    case 'wildcard':
      return languageWildcard(pattern, 'si').test(text);
    case 'strict wildcard':
      return languageWildcard(pattern).test(text);
    default:
      return ordered(operator, Number(text), Number(pattern));
  }
}

function ordered(operator: string, value: number, wanted: number): boolean {
  if (operator === 'lt') return value < wanted;
  if (operator === 'le') return value <= wanted;
  if (operator === 'gt') return value > wanted;
  return value >= wanted;
}

/** Uses JavaScript regular expressions, with support for a leading `(?i)`. */
function matches(text: string, pattern: string): boolean {
  try {
    return pattern.startsWith('(?i)')
      ? new RegExp(pattern.slice(4), 'i').test(text)
      : new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

/** A list can contain ranges (`8000..8080`, parsed as three items) and addresses with prefixes. */
function isIn(value: Value, items: readonly Value[]): boolean {
  if (value === undefined) return false;
  return items.some((item, index) => {
    if (item === '..') {
      return Number(value) >= Number(items[index - 1]) && Number(value) <= Number(items[index + 1]);
    }
    return String(value) === String(item) || inSubnet(String(value), String(item));
  });
}

function inSubnet(address: string, subnet: string): boolean {
  const [, base = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(subnet) ?? [];
  const version = isIP(base);
  if (version === 0 || isIP(address) !== version) return false;
  if (Number(prefix) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family);
  return list.check(address, family);
}

function valueOf(operand: Operand, fields: Fields): Value {
  if (operand.kind === 'string') return operand.value;
  if (operand.kind === 'bare')
    return literal(operand.value) ?? fields(operand.value, operand.index) ?? bare(operand.value);
  const [first, second] = operand.args;
  const text = (argument: Expression | undefined): string =>
    argument?.kind === 'is' ? String(valueOf(argument.operand, fields) ?? '') : '';
  switch (operand.name) {
    case 'lower':
      return text(first).toLowerCase();
    case 'upper':
      return text(first).toUpperCase();
    case 'len':
      return text(first).length;
    case 'starts_with':
      return text(first).startsWith(text(second));
    case 'ends_with':
      return text(first).endsWith(text(second));
    case 'any':
      return first !== undefined && evaluate(first, fields);
    default:
      return undefined;
  }
}

function literal(word: string): Value {
  if (word === 'true' || word === 'false') return word === 'true';
  return undefined;
}

/** Numbers, addresses and `..` are literals; any other word is an unknown field. */
function bare(word: string): Value {
  return /^[-0-9.]|:/.test(word) ? word : undefined;
}

/** Whether the text of an expression matches a request. Invalid text matches nothing. */
export function holds(text: string, fields: Fields): boolean {
  try {
    return evaluate(parseExpression(text), fields);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** A regular expression for text with the wildcard `*`. */
export function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's');
}

/** The right side of the wildcard operators, in which `\*` is an asterisk and `\\` a backslash. */
function languageWildcard(pattern: string, flags = 's'): RegExp {
  const parts = [...pattern.matchAll(/\\([\\*])|\*|[^]/g)].map(([part, character]) =>
    part === '*' ? '.*' : escaped(character ?? part),
  );
  return new RegExp(`^${parts.join('')}$`, flags);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
