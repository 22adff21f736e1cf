import { types } from 'node:util';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';

/** The chain of causes of an error, as one line each. */
function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  for (let cause = error; types.isNativeError(cause) && causes.length < 5; cause = cause.cause) {
    causes.push(printable(cause.message, 500));
  }
  return causes;
}

/** An error as the JSON that scripts read. */
export function renderErrorJson(error: unknown): string {
  const { code, message, hint, cause } = describe(error);
  return `${JSON.stringify({ error: { code, message, hint, causes: causesOf(cause) } })}\n`;
}

/** An error for a person: message with its code, causes, and what to do. */
export function renderErrorText(error: unknown): string {
  const { code, message, hint, cause, stack } = describe(error);
  const lines = [
    `error: ${message} (${code})`,
    ...causesOf(cause).map((line) => `  cause: ${line}`),
    `  hint: ${hint}`,
    ...(stack === undefined ? [] : [stack]),
  ];
  return `${lines.join('\n')}\n`;
}

function describe(error: unknown): {
  code: string;
  message: string;
  hint: string;
  cause: unknown;
  stack?: string;
} {
  if (error instanceof MigrationError) {
    return {
      code: error.code,
      message: printable(error.message, 1000),
      hint: printable(error.hint),
      cause: error.cause,
    };
  }
  const message = printable(types.isNativeError(error) ? error.message : String(error), 1000);
  const stack =
    types.isNativeError(error) && error.stack !== undefined ? { stack: error.stack } : {};
  return {
    code: 'BUG',
    message,
    hint: 'this is a bug of cf-waf-migrate: please report it',
    cause: undefined,
    ...stack,
  };
}
