import { BlockList, isIP } from 'node:net';
import { type Expression, type Operand, parseExpression } from './parse';

/** The value of a field. */
export type Value = string | number | boolean | undefined;

/** Returns the value of a field of one request, or `undefined` for an unknown field. */
export type Fields = (name: string) => Value;

/**
 * Whether an expression matches a request. A comparison with an unknown field does not match.
 * @throws Error when the expression does not parse, or uses a part of the language that the
 * scenarios do not use
 */
export function holds(text: string, fields: Fields): boolean {
  return evaluate(parseExpression(text), fields);
}

function evaluate(expression: Expression, fields: Fields): boolean {
  switch (expression.kind) {
    case 'not':
      return !evaluate(expression.of, fields);
    case 'and':
      return expression.parts.every((one) => evaluate(one, fields));
    case 'or':
      return expression.parts.some((one) => evaluate(one, fields));
    case 'is':
      return valueOf(expression.operand, fields) === true;
    case 'compare':
      return compare(expression, fields);
    case 'xor':
      throw unsupported('xor');
  }
}

const unsupported = (what: string): Error =>
  new Error(`the emulator does not evaluate ${what} in expressions`);

type Comparison = Extract<Expression, { kind: 'compare' }>;

function compare({ operator, left, right }: Comparison, fields: Fields): boolean {
  const value = valueOf(left, fields);
  if (value === undefined) return operator === 'ne';
  const text = String(value);
  const [wanted = '', ...others] = right.map((operand) => String(valueOf(operand, fields)));
  switch (operator) {
    case 'eq':
      return text === wanted;
    case 'ne':
      return text !== wanted;
    case 'contains':
      return text.includes(wanted);
    case 'matches':
      return new RegExp(wanted).test(text);
    case 'wildcard':
      return wildcard(wanted, 'si').test(text);
    case 'strict wildcard':
      return wildcard(wanted).test(text);
    case 'in':
      return [wanted, ...others].some((item) => text === item || inSubnet(text, item));
    default:
      throw unsupported(operator);
  }
}

function inSubnet(address: string, subnet: string): boolean {
  const [, base = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(subnet) ?? [];
  const version = isIP(base);
  if (version === 0 || isIP(address) !== version) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family);
  return list.check(address, family);
}

function valueOf(operand: Operand, fields: Fields): Value {
  if (operand.kind === 'string') return operand.value;
  if (operand.kind === 'call') return call(operand, fields);
  const { value } = operand;
  if (value === 'true' || value === 'false') return value === 'true';
  // numbers and addresses are literals; any other word is a field
  return /^[-0-9]|:/.test(value) ? value : fields(value);
}

function call({ name, args }: Extract<Operand, { kind: 'call' }>, fields: Fields): Value {
  const [text = '', part = ''] = args.map((one) =>
    one.kind === 'is' ? String(valueOf(one.operand, fields) ?? '') : '',
  );
  if (name === 'lower') return text.toLowerCase();
  if (name === 'starts_with') return text.startsWith(part);
  if (name === 'ends_with') return text.endsWith(part);
  throw unsupported(`${name}()`);
}

/** A regular expression for text with the wildcard `*`. */
export function wildcard(pattern: string, flags = 's'): RegExp {
  const parts = pattern.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, flags);
}
