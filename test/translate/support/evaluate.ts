import { type Expression, type Operand, parseExpression } from '../../../src/emulator/expression';

type Value = string | boolean | undefined;

/** Returns the value of a field of one request, or `undefined` for an unknown field. */
export type Fields = (name: string) => Value;

/**
 * Whether an expression matches a request. A comparison with an unknown field does not match.
 * @throws Error when the expression does not parse, or has what neither converter writes
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
      throw new Error('xor is not evaluated');
  }
}

type Comparison = Extract<Expression, { kind: 'compare' }>;

function compare({ operator, left, right }: Comparison, fields: Fields): boolean {
  const [text, wanted] = [left, ...right].map((operand) => valueOf(operand, fields));
  if (text === undefined) return operator === 'ne';
  if (typeof text !== 'string' || typeof wanted !== 'string') throw new Error('not a text');
  if (operator === 'eq') return text === wanted;
  if (operator === 'contains') return text.includes(wanted);
  if (operator === 'wildcard') return wildcard(wanted, 'si').test(text);
  if (operator === 'strict wildcard') return wildcard(wanted, 's').test(text);
  throw new Error(`${operator} is not evaluated`);
}

function valueOf(operand: Operand, fields: Fields): Value {
  if (operand.kind === 'string') return operand.value;
  if (operand.kind === 'call') return call(operand, fields);
  const { value } = operand;
  return value === 'true' || value === 'false' ? value === 'true' : fields(value);
}

function call({ name, args }: Extract<Operand, { kind: 'call' }>, fields: Fields): Value {
  const [text = '', part = ''] = args.map((one) =>
    one.kind === 'is' ? String(valueOf(one.operand, fields) ?? '') : '',
  );
  if (name === 'lower') return text.toLowerCase();
  if (name === 'starts_with') return text.startsWith(part);
  if (name === 'ends_with') return text.endsWith(part);
  throw new Error(`${name}() is not evaluated`);
}

function wildcard(pattern: string, flags: string): RegExp {
  const parts = pattern.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, flags);
}
