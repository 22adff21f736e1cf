import { parseExpression } from './parse';
import { ExpressionError } from './tokens';

/** What is wrong with an expression, in the words of the service; `undefined` where nothing is. */
export function checkExpression(text: string): string | undefined {
  try {
    parseExpression(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const before = text.slice(0, error.at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return `Filter parsing error (${before.length}:${column}): ${error.message}`;
  }
}
