import { types } from 'node:util';
import { hintLines, renderFindings } from '../core/finding';
import { causesOf, MigrationError } from '../core/migration-error';
import { printable, printableJson } from '../core/printable';

/** An error as the JSON that scripts read. */
export function renderErrorJson(error: unknown): string {
  const { code, message, hint, causes, findings } = describe(error);
  const found = findings.length === 0 ? {} : { findings };
  return `${printableJson({ error: { code, message, hint, causes, ...found } })}\n`;
}

/** An error for the user: message with its code, causes, and what to do. */
export function renderErrorText(error: unknown): string {
  const { code, message, hint, causes, stack, findings } = describe(error);
  // the user declined, so the error needs no text
  if (code === 'DECLINED' && hint === '') return `${message}\n`;
  const lines = [
    `error: ${message} (${code})`,
    ...causes.map((line) => `  cause: ${line}`),
    ...renderFindings(findings).map((line) => `  ${line}`),
    // a command in a hint is on a separate line
    `  hint: ${hintLines(hint).join('\n    ')}`,
    ...(stack === undefined ? [] : [stack]),
  ];
  return `${lines.join('\n')}\n`;
}

function describe(error: unknown) {
  if (error instanceof MigrationError) {
    return {
      code: error.code,
      message: printable(error.message, 1000),
      hint: error.hint
        .split('\n')
        .map((line) => printable(line))
        .join('\n'),
      causes: causesOf(error).map((text) => printable(text, 500)),
      findings: error.findings,
      stack: undefined,
    };
  }
  const message = printable(types.isNativeError(error) ? error.message : String(error), 1000);
  return {
    code: 'BUG',
    message,
    hint: 'this is a bug of cf-waf-migrate: please report it',
    causes: [],
    findings: [],
    stack: stackOf(error),
  };
}

/** Only the positions of a stack trace: the message before them is hostile text, and is printed above. */
function stackOf(error: unknown): string | undefined {
  if (!types.isNativeError(error) || error.stack === undefined) return undefined;
  const places = error.stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return places.map((line) => `    ${printable(line.trim(), 500)}`).join('\n');
}
