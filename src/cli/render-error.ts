import { types } from 'node:util';
import { type Finding, renderFindings } from '../core/finding';
import { causesOf, MigrationError } from '../core/migration-error';
import { printable, printableJson } from '../core/printable';

const shownCauses = (cause: unknown): string[] =>
  causesOf(cause).map((text) => printable(text, 500));

/** An error as the JSON that scripts read. */
export function renderErrorJson(error: unknown): string {
  const { code, message, hint, cause, findings } = describe(error);
  const found = findings.length === 0 ? {} : { findings };
  return `${printableJson({ error: { code, message, hint, causes: shownCauses(cause), ...found } })}\n`;
}

/** An error for a person: message with its code, causes, and what to do. */
export function renderErrorText(error: unknown): string {
  const { code, message, hint, cause, stack, findings } = describe(error);
  const lines = [
    `error: ${message} (${code})`,
    ...shownCauses(cause).map((line) => `  cause: ${line}`),
    ...renderFindings(findings).map((line) => `  ${line}`),
    // a command in a hint has a line of its own
    `  hint: ${hint.replaceAll('\n', '\n    ')}`,
    ...(stack === undefined ? [] : [stack]),
  ];
  return `${lines.join('\n')}\n`;
}

function describe(error: unknown): {
  code: string;
  message: string;
  hint: string;
  cause: unknown;
  findings: readonly Finding[];
  stack?: string;
} {
  if (error instanceof MigrationError) {
    return {
      code: error.code,
      message: printable(error.message, 1000),
      hint: error.hint
        .split('\n')
        .map((line) => printable(line))
        .join('\n'),
      cause: error.cause,
      findings: error.findings,
    };
  }
  const message = printable(types.isNativeError(error) ? error.message : String(error), 1000);
  return {
    code: 'BUG',
    message,
    hint: 'this is a bug of cf-waf-migrate: please report it',
    cause: undefined,
    findings: [],
    ...stackOf(error),
  };
}

/** The places of a stack alone: the message in front of them is hostile text, and is printed above. */
function stackOf(error: unknown): { readonly stack?: string } {
  if (!types.isNativeError(error) || error.stack === undefined) return {};
  const places = error.stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { stack: places.map((line) => `    ${printable(line.trim(), 500)}`).join('\n') };
}
