import { evaluate, type Fields } from './evaluate';
import { parseExpression } from './parse';
import { ExpressionError } from './tokens';

/** Whether the text of an expression holds for a request; text that is none holds for nothing. */
export function holds(text: string, fields: Fields): boolean {
  try {
    return evaluate(parseExpression(text), fields);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
