import { type Expression, type Operand, parseExpression } from '../../../src/emulator/expression';

/** A request, as far as legacy patterns and new expressions look at it. */
export interface ModelRequest {
  readonly ssl: boolean;
  /** As the client wrote it: in any case. */
  readonly host: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * Whether an expression holds for a request.
 * @throws Error when the expression does not parse, or has what the translator never writes
 */
export function expressionMatches(
  expression: string,
  { ssl, host, path, query }: ModelRequest,
): boolean {
  const uri = path + (query === '' ? '' : `?${query}`);
  const fields = new Map<string, string | boolean>([
    ['ssl', ssl],
    ['http.host', host],
    ['http.request.uri.path', path],
    ['http.request.uri', uri],
  ]);
  return evaluate(parseExpression(expression), (name) => fields.get(name));
}

/**
 * A model of the legacy matcher, as docs/report.md assumes it, written apart from the code: it
 * splits a pattern and walks both texts by recursion.
 */
export function legacyMatches(
  pattern: string,
  request: ModelRequest,
  kind: 'override' | 'page-rule',
): boolean {
  let rest = pattern;
  const scheme = /^([^/]*):\/\//.exec(rest);
  if (scheme !== null) {
    rest = rest.slice(scheme[0].length);
    const name = scheme[1]!.toLowerCase();
    if (name === 'https' && !request.ssl) return false;
    if (name === 'http' && request.ssl) return false;
  }
  const query = kind === 'page-rule' && request.query !== '' ? `?${request.query}` : '';
  const target = request.path + query;
  const host = request.host.toLowerCase();
  const slash = rest.indexOf('/');
  if (slash >= 0) {
    return glob(rest.slice(0, slash).toLowerCase(), host) && glob(rest.slice(slash), target);
  }
  // no path: a trailing star covers it; a page rule is saved with a slash
  const isPath = rest.endsWith('*') || (kind === 'page-rule' && target === '/');
  return isPath && glob(rest.toLowerCase(), host);
}

/** Whether a text matches a pattern in which `*` stands for any run of characters. */
function glob(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*')) {
    return glob(pattern.slice(1), text) || (text !== '' && glob(pattern, text.slice(1)));
  }
  return text !== '' && pattern[0] === text[0] && glob(pattern.slice(1), text.slice(1));
}

type Value = string | boolean | undefined;

/** The value of a field of one request. */
type Fields = (name: string) => Value;

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
  if (typeof text !== 'string' || typeof wanted !== 'string') throw new Error('not a text');
  if (operator === 'eq') return text === wanted;
  if (operator === 'contains') return text.includes(wanted);
  if (operator === 'strict wildcard') return glob(wanted, text);
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
